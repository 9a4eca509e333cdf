// npusim check: find what would go wrong on the chip before it does.
#include <unistd.h>

#include <algorithm>

#include "sim/cli/commands.hpp"
#include "sim/cli/coverage.hpp"
#include "sim/cli/session.hpp"
#include "sim/report/table.hpp"

namespace npusim {

namespace {

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

void about_rules(const CheckOptions &o, Diag *d) {
    const CommonOptions &c = o.common;
    DiagId id = diag_find(o.explain.c_str());
    if (o.list) {
        if (has_report("--list", {"text", "json"}, c.report, d)) write_output(c.report == "json" ? rules_json() : rule_list(), c.output, d);
        return;
    }
    if (!has_report("--explain", {"text"}, c.report, d)) return;
    if (id == DIAG_COUNT) diag(d, DIAG_USAGE, Loc{"--explain", 0, 0}, "no rule %s\n`npusim check --list` lists them", o.explain.c_str());
    else write_output(explanation(diag_rule(id)), c.output, d);
}

// What is wrong with the traces that were named; nullptr: nothing.
const char *misuse(const CheckOptions &o) {
    if (o.traces.empty()) return o.coverage ? "expected files or directories behind --coverage" : "expected a trace, --list or --explain ID";
    if (o.traces.size() > 1 && !o.coverage) return "expected one trace; --coverage takes many";
    return nullptr;
}

// Exit status of --coverage, which goes on after what is wrong with a file.
int about_traces(const CheckOptions &o, Diag *d) {
    const std::string &report = o.common.report;
    if (const char *wrong = misuse(o)) {
        diag(d, DIAG_USAGE, Loc{"npusim check", 0, 0}, "%s", wrong);
    } else if (o.coverage) {
        if (has_report("--coverage", {"text", "json", "csv"}, report, d)) return check_coverage(o.traces, o.common, d);
    } else if (has_report("one trace", {"text", "json", "sarif"}, report, d)) {
        CommonOptions one = o.common;
        one.trace = o.traces[0];
        execute(one, d);
    }
    return EXIT_OK;
}

}  // namespace

int check(const CheckOptions &o) {
    Diag *d = diag_new();
    int status = EXIT_OK;
    if (o.list || !o.explain.empty()) about_rules(o, d);
    else status = about_traces(o, d);
    return std::max(status, finish(d, o.common.color, o.common.quiet));
}

}  // namespace npusim
