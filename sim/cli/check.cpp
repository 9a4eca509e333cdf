// npusim check: find what would go wrong on the chip before it does.
#include <memory>
#include <unistd.h>

#include <cstdio>

#include "sim/cli/coverage.hpp"
#include "sim/cli/session.hpp"
#include "sim/report/table.hpp"

namespace npusim {

namespace {

struct CheckOptions {
    CommonOptions common;
    std::vector<std::string> traces;
    std::string explain;
    bool list = false, coverage = false;
};

std::string rule_list() {
    Table t({"<ID", "<severity", "<what"});
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagRule *r = diag_rule(static_cast<DiagId>(i));
        t.row({r->id, severity_name(r->severity), r->title});
    }
    return t.text() + "\n`npusim check --explain ID` says more about one rule\n";
}

std::string explanation(const DiagRule *r) {
    return std::string(r->id) + " (" + severity_name(r->severity) + "): " + r->title + "\n\n" + r->text + "\n\n" + (*r->repair ? std::string("Repair: ") + r->repair + "\n" : "") + "Source: " + r->source + "\n" +
           "Leave it out: --suppress " + r->id + ", --suppress " + r->id + ":LINE, or `//! allow " + r->id + "` in front of the instruction\n";
}

std::string summary(const ReportContext &c) {
    uint64_t instructions = 0;
    for (const BlockRow &b : *c.blocks) instructions += b.instructions;
    size_t blocks = c.blocks->size();
    return std::string(c.trace) + " on " + c.target->name + " (chosen by " + c.target_reason + ")  conformance " +
           (c.target->sem.library ? "library" : "document") + "  sync " + c.sync + "\n" + counted(instructions, "instruction") + " checked" + (blocks > 1 ? " in " + std::to_string(blocks) + " blocks" : "") + ": " +
           counted(diag_total(c.diag, SEV_ERROR), "error") + ", " + counted(diag_total(c.diag, SEV_WARNING), "warning") + ", " +
           counted(diag_total(c.diag, SEV_NOTE), "note") + "\n";
}

void execute(const CommonOptions &o, Diag *d) {
    Session s(o, d);
    if (!s.ready() || !s.run()) return;
    ReportContext c = s.context(use_color(o.color, STDOUT_FILENO) && o.output.empty());
    std::string out = o.report == "json" ? check_json(c) : o.report == "sarif" ? check_sarif(c) : summary(c);
    write_output(out, o.output, d);
}

int about_rules(const CheckOptions &o, Diag *d) {
    const CommonOptions &c = o.common;
    if (o.list) {
        write_output(c.report == "json" ? rules_json() : rule_list(), c.output, d);
        return exit_status(d);
    }
    DiagId id = diag_find(o.explain.c_str());
    if (id == DIAG_COUNT) diag(d, DIAG_USAGE, Loc{"--explain", 0, 0}, "no rule %s\n`npusim check --list` lists them", o.explain.c_str());
    else write_output(explanation(diag_rule(id)), c.output, d);
    return exit_status(d);
}

// What is wrong with the command line; nullptr: nothing.
const char *misuse(const CheckOptions &o) {
    const std::string &form = o.common.report;
    if (o.traces.empty()) return o.coverage ? "expected files or directories behind --coverage" : "expected a trace, --list or --explain ID";
    if (o.traces.size() > 1 && !o.coverage) return "expected one trace; --coverage takes many";
    if (form == "csv" && !o.coverage) return "--report csv is a form of --coverage";
    if (form == "sarif" && o.coverage) return "--coverage is reported as text, json or csv";
    return nullptr;
}

int check(CheckOptions *o) {
    Diag *d = diag_new();
    int status;
    if (o->list || !o->explain.empty()) {
        status = about_rules(*o, d);
    } else if (const char *wrong = misuse(*o)) {
        diag(d, DIAG_USAGE, Loc{"npusim check", 0, 0}, "%s", wrong);
        status = EXIT_UNREADABLE;
    } else if (o->coverage) {
        status = check_coverage(o->traces, o->common, d);
    } else {
        o->common.trace = o->traces[0];
        execute(o->common, d);
        status = exit_status(d);
    }
    std::string text = diagnostics_text(d, use_color(o->common.color, STDERR_FILENO), !o->common.quiet);
    std::fwrite(text.data(), 1, text.size(), stderr);
    diag_free(d);
    return status;
}

}  // namespace

void add_check(CLI::App &app, int *status) {
    auto o = std::make_shared<CheckOptions>(); // the callback keeps it
    o->common.checks = "full";
    o->common.check_only = true;
    CLI::App *cmd = app.add_subcommand("check", "legality, memory, order and machine state of a trace, without input data");
    cmd->add_option("trace", o->traces, "PTO assembly text; - is standard input; with --coverage also directories")->type_name("TRACE");
    cmd->add_flag("--coverage", o->coverage, "what each of the traces would need that npusim does not have, on both targets or on --target");
    cmd->add_flag("--list", o->list, "the rules");
    cmd->add_option("--explain", o->explain, "one rule")->type_name("ID");
    add_target_options(cmd, &o->common);
    add_run_options(cmd, &o->common);
    add_report_options(cmd, &o->common, {"text", "json", "sarif", "csv"});
    cmd->footer("Examples:\n  npusim check kernel.pto --target a2a3\n  npusim check kernel.pto --on-error continue --report sarif -o kernel.sarif\n"
                "  npusim check --coverage build_output --report csv -o needs.csv\n  npusim check --explain TMP_SMALL");
    cmd->callback([o, status] { *status = check(o.get()); });
}

}  // namespace npusim
