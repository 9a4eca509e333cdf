// What npusim check found, for other programs.
#include "sim/report/diagnostics.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/report.hpp"

namespace npusim {

using json = nlohmann::ordered_json;

static json rule(DiagId id) {
    const DiagRule *r = diag_rule(id);
    return {{"id", r->id}, {"severity", severity_name(r->severity)}, {"title", r->title}, {"text", r->text}, {"source", r->source}, {"repair", r->repair}};
}

std::string rules_json() {
    json list = json::array();
    for (int i = 0; i < DIAG_COUNT; i++) list.push_back(rule(static_cast<DiagId>(i)));
    return json_text(list);
}

std::string check_json(const ReportContext &c) {
    json j = {{"schema", "npusim-check/1"}, {"trace", c.trace}, {"target", c.target->name},
              {"conformance", c.target->sem.library ? "library" : "document"}, {"sync", c.sync},
              {"errors", diag_total(c.diag, SEV_ERROR)}, {"warnings", diag_total(c.diag, SEV_WARNING)}, {"notes", diag_total(c.diag, SEV_NOTE)},
              {"diagnostics", diagnostics_json(c.diag)}};
    return json_text(j);
}

static json sarif_rules() {
    json list = json::array();
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagRule *r = diag_rule(static_cast<DiagId>(i));
        list.push_back({{"id", r->id}, {"shortDescription", {{"text", r->title}}}, {"fullDescription", {{"text", r->text}}},
                        {"help", {{"text", (*r->repair ? std::string(r->repair) + "\n" : "") + "Source: " + r->source}}}, {"defaultConfiguration", {{"level", severity_name(r->severity)}}}});
    }
    return list;
}

static json sarif_result(const DiagMsg *m) {
    std::string text = m->text;
    if (m->hint) text += std::string("\n") + m->hint;
    json one = {{"ruleId", diag_rule(m->id)->id}, {"ruleIndex", static_cast<int>(m->id)}, {"level", severity_name(m->severity)},
                {"message", {{"text", text}}}, {"occurrenceCount", m->count}};
    if (m->loc.file && m->loc.line) {
        json region = {{"startLine", m->loc.line}};
        if (m->loc.col) region["startColumn"] = m->loc.col;
        one["locations"] = {{{"physicalLocation", {{"artifactLocation", {{"uri", m->loc.file}}}, {"region", region}}}}};
    }
    return one;
}

std::string check_sarif(const ReportContext &c) {
    json results = json::array();
    for (size_t i = 0; i < diag_count(c.diag); i++) results.push_back(sarif_result(diag_at(c.diag, i)));
    json driver = {{"name", "npusim"}, {"version", NPUSIM_VERSION}, {"rules", sarif_rules()}};
    json run = {{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"},
                {"invocations", {{{"executionSuccessful", !diag_unreadable(c.diag)}}}}, {"results", results}};
    json j = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", {run}}};
    return json_text(j);
}

}  // namespace npusim
