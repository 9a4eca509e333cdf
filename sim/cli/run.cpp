// npusim run: execute a trace, print what was asked for and a cycle report.
#include <unistd.h>

#include <cstdio>

#include "sim/cli/commands.hpp"
#include "sim/cli/files.hpp"
#include "sim/cli/session.hpp"

namespace npusim {

namespace {

void execute(const CommonOptions &o, Diag *d) {
    Session s(o, d);
    if (!s.ready()) return;
    if (o.report == "html" || wants_files(o)) s.keep_details();
    if (!s.run()) return;
    ReportContext c = s.context(use_color(o.color, STDOUT_FILENO) && o.output.empty());
    // Printed values never go into a report file; JSON on standard output has a key for them.
    bool json = o.report == "json";
    if (!o.output.empty() || !json) write_output(s.printed, "", d);
    if (json) write_output(json_report(s.result, c), o.output, d);
    else if (o.report == "csv") write_output(csv_report(s.result, c), o.output, d);
    else if (o.report == "html") write_output(html_report(s.result, c), o.output, d);
    else write_output((s.printed.empty() || !o.output.empty() ? "" : "\n") + text_report(s.result, c), o.output, d);
    write_files(o, s.result, c, d);
}

}  // namespace

int run(const CommonOptions &o) {
    Diag *d = diag_new();
    execute(o, d);
    return finish(d, o.color, o.quiet);
}

}  // namespace npusim
