#include "sim/cli/files.hpp"

#include <filesystem>

namespace npusim {

bool wants_files(const CommonOptions &o) { return !o.timeline.empty() || !o.vcd.empty(); }

static void write_tables(const std::string &folder, const RunResult &r, const ReportContext &c, Diag *d) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        diag(d, DIAG_IO, Loc{folder.c_str(), 0, 0}, "%s", error.message().c_str());
        return;
    }
    write_output(instr_exe_csv(r, c), folder + "/instr_exe.csv", d);
    write_output(code_exe_csv(r, c), folder + "/code_exe.csv", d);
    write_output(pipeline_summary_csv(r, c), folder + "/pipeline_summary.csv", d);
}

void write_files(const CommonOptions &o, const RunResult &r, const ReportContext &c, Diag *d) {
    if (!o.timeline.empty()) write_output(timeline_json(r, c), o.timeline, d);
    if (!o.vcd.empty()) write_output(vcd_waveform(r, c), o.vcd, d);
    if (!o.tables.empty()) write_tables(o.tables, r, c, d);
}

}  // namespace npusim
