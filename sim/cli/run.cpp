// npusim run: execute a trace, print what was asked for and a cycle report.
#include <memory>
#include <unistd.h>

#include <cstdio>

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

int run(const CommonOptions &o) {
    Diag *d = diag_new();
    execute(o, d);
    std::string text = diagnostics_text(d, use_color(o.color, STDERR_FILENO), !o.quiet);
    std::fwrite(text.data(), 1, text.size(), stderr);
    int status = exit_status(d);
    diag_free(d);
    return status;
}

}  // namespace

void add_run(CLI::App &app, int *status) {
    auto o = std::make_shared<CommonOptions>(); // the callback keeps it
    CLI::App *cmd = app.add_subcommand("run", "run a trace; print results asked for and a cycle report");
    add_trace_options(cmd, o.get());
    cmd->footer("Examples:\n  npusim run traces/row_argmin.pto --target 950\n"
                "  npusim run kernel.pto --arg x=x.npy --arg n=128 --dump out=out.npy --report json -o report.json\n"
                "  npusim run kernel.pto --results off --set uops.vmax.latency=20");
    cmd->callback([o, status] { *status = run(*o); });
}

}  // namespace npusim
