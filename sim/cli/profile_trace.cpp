// npusim profile TRACE: where the cycles of a trace go.
#include <unistd.h>

#include <cinttypes>

#include "sim/cli/files.hpp"
#include "sim/cli/profile.hpp"
#include "sim/cli/session.hpp"

namespace npusim {

namespace {

// "A:B" in cycles; either side may be left out.
bool parse_window(const std::string &s, uint64_t *from, uint64_t *until) {
    size_t colon = s.find(':');
    if (colon == std::string::npos) return false;
    std::string a = s.substr(0, colon), b = s.substr(colon + 1);
    if ((a + b).find_first_not_of("0123456789") != std::string::npos || a.size() > 18 || b.size() > 18) return false;
    *from = a.empty() ? 0 : std::stoull(a);
    *until = b.empty() ? ~0ull : std::stoull(b);
    return *from < *until;
}

bool parse_view(const ProfileOptions &o, ProfileView *v, Diag *d) {
    v->by = o.by == "op" ? BY_OP : o.by == "line" ? BY_LINE : o.by == "stage" ? BY_STAGE : BY_INSTR;
    v->top = o.top;
    if (o.window.empty() || parse_window(o.window, &v->from, &v->until)) return true;
    diag(d, DIAG_USAGE, Loc{"--window", 0, 0}, "expected A:B with cycles A < B, found %s", o.window.c_str());
    return false;
}

std::string report_of(const ProfileOptions &o, const RunResult &r, const ReportContext &c, const ProfileView &v) {
    if (o.report == "html") return html_report(r, c);
    Profile p(r, c);
    return o.report == "json" ? profile_json(p, v) : o.report == "csv" ? profile_csv(p, v) : profile_text(p, v);
}

}  // namespace

bool profile_trace(const ProfileOptions &o, Diag *d, std::string *out) {
    ProfileView view;
    if (!parse_view(o, &view, d)) return false;
    if (o.targets.size() > 1) {
        diag(d, DIAG_USAGE, Loc{"--target", 0, 0}, "a trace is profiled on one target, found %zu\nnpusim compare shows two side by side", o.targets.size());
        return false;
    }
    static CommonOptions run; // messages refer to its texts until they are printed
    run = o;
    if (!o.targets.empty()) run.target = o.targets[0];
    Session s(run, d);
    if (!s.ready()) return false;
    s.keep_details();
    if (!s.run()) return false;
    ReportContext c = s.context(use_color(o.color, STDOUT_FILENO) && o.output.empty());
    *out = report_of(o, s.result, c, view);
    write_files(o, s.result, c, d);
    return true;
}

}  // namespace npusim
