#include "sim/cli/options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/report/report.hpp"

extern "C" {
#include "isa/read/npy.h"
#include "isa/read/target_file.h"
}

namespace npusim {

bool use_color(const std::string &mode, int fd) {
    if (mode != "auto") return mode == "always";
    const char *term = std::getenv("TERM");
    return isatty(fd) && !std::getenv("NO_COLOR") && !(term && !std::strcmp(term, "dumb"));
}

bool write_output(const std::string &text, const std::string &file, Diag *d) {
    if (!file.empty()) return file_write(file.c_str(), text.data(), text.size(), Loc{file.c_str(), 0, 0}, d);
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
    diag(d, DIAG_IO, Loc{"standard output", 0, 0}, "cannot be written");
    return false;
}

static std::vector<const char *> texts(const std::vector<std::string> &list) {
    std::vector<const char *> out;
    for (const std::string &s : list) out.push_back(s.c_str());
    return out;
}

std::vector<Target *> load_targets(const std::vector<std::string> &names, const std::vector<std::string> &sets, Diag *d) {
    std::vector<const char *> name = texts(names), set = texts(sets);
    std::vector<Target *> out(names.size());
    if (!targets_load(name.data(), static_cast<int>(name.size()), set.data(), static_cast<int>(set.size()), out.data(), d)) out.clear();
    return out;
}

bool has_report(const std::string &use, const std::vector<std::string> &forms, const std::string &report, Diag *d) {
    if (std::find(forms.begin(), forms.end(), report) != forms.end()) return true;
    std::string list;
    for (size_t k = 0; k < forms.size(); k++) list += (!k ? "" : k + 1 < forms.size() ? ", " : " or ") + forms[k];
    diag(d, DIAG_USAGE, Loc{"--report", 0, 0}, "expected %s for %s, found %s", list.c_str(), use.c_str(), report.c_str());
    return false;
}

bool suppress_rules(const CommonOptions &o, Diag *d) {
    bool ok = true;
    for (const std::string &s : o.suppress) {
        size_t colon = s.find(':');
        DiagId id = diag_find(s.substr(0, colon).c_str());
        char *end = nullptr;
        unsigned long line = colon == std::string::npos ? 0 : std::strtoul(s.c_str() + colon + 1, &end, 10);
        if (id == DIAG_COUNT || (end && (*end || end == s.c_str() + colon + 1 || line > UINT32_MAX))) {
            diag(d, DIAG_USAGE, Loc{"--suppress", 0, 0}, "expected ID or ID:LINE, found %s\n`npusim check --list` lists the rules", s.c_str());
            ok = false;
            continue;
        }
        diag_suppress(d, id, static_cast<uint32_t>(line));
    }
    return ok;
}

int exit_status(const Diag *d) {
    if (diag_unreadable(d)) return EXIT_UNREADABLE;
    return diag_total(d, SEV_ERROR) ? EXIT_TRACE : EXIT_OK;
}

int finish(Diag *d, const std::string &color, bool quiet) {
    std::string text = diagnostics_text(d, use_color(color, STDERR_FILENO), !quiet);
    std::fwrite(text.data(), 1, text.size(), stderr);
    int status = exit_status(d);
    diag_free(d);
    return status;
}

}  // namespace npusim
