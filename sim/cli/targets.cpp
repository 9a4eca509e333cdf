// npusim targets: the known targets and every parameter with its provenance.
#include <memory>
#include <cstdio>

#include "sim/cli/options.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

extern "C" {
#include "isa/read/target_file.h"
}

#include <nlohmann/json.hpp>

namespace npusim {

namespace {

struct TargetsOptions {
    CommonOptions common;
    std::string name, report = "text", output;
};

std::string one_text(const Target *t) {
    Table table({"<key", "value", "<kind", "<source or meaning"});
    for (size_t i = 0; i < target_key_count(t); i++) {
        const TargetKey *k = target_key_at(t, i);
        table.row({k->path, k->value, k->numeric ? prov_name(k->num.prov) : "", k->numeric && k->num.source ? k->num.source : k->doc ? k->doc : ""});
    }
    return std::string(t->name) + ": " + t->title + "\n" + t->path + "\n\n" + table.text();
}

std::string one_json(const Target *t) {
    nlohmann::ordered_json j = {{"name", t->name}, {"title", t->title}, {"file", t->path}};
    nlohmann::ordered_json keys = nlohmann::ordered_json::array();
    for (size_t i = 0; i < target_key_count(t); i++) {
        const TargetKey *k = target_key_at(t, i);
        nlohmann::ordered_json one = {{"key", k->path}, {"value", k->value}};
        if (k->numeric) {
            one["kind"] = prov_name(k->num.prov);
            one["source"] = k->num.source ? k->num.source : "";
        }
        if (k->doc) one["doc"] = k->doc;
        keys.push_back(std::move(one));
    }
    j["keys"] = std::move(keys);
    return j.dump(2) + "\n";
}

void list_targets(const TargetsOptions &o, Diag *d, std::string *out) {
    Table t({"<target", "<what", "UB bytes", "clock MHz", "<file"});
    for (const char *const *n = target_builtin(); *n; n++) {
        Target *x = target_load(*n, nullptr, 0, d);
        if (!x) continue;
        char mhz[32];
        std::snprintf(mhz, sizeof mhz, "%.0f", x->clock_hz.v / 1e6);
        t.row({x->name, x->title, std::to_string(static_cast<uint64_t>(x->ub.bytes.v)), mhz, x->path});
        target_free(x);
    }
    *out = t.text() + "\n`npusim targets NAME` shows every parameter with its source; a target of your own is a copied and edited file: --target my.yaml\n";
    (void)o;
}

int targets(const TargetsOptions &o) {
    Diag *d = diag_new();
    std::string out;
    if (o.name.empty()) {
        list_targets(o, d, &out);
    } else {
        std::vector<const char *> sets;
        for (const std::string &s : o.common.sets) sets.push_back(s.c_str());
        if (Target *t = target_load(o.name.c_str(), sets.data(), static_cast<int>(sets.size()), d)) {
            out = o.report == "json" ? one_json(t) : one_text(t);
            target_free(t);
        }
    }
    write_output(out, o.output, d);
    std::string text = diagnostics_text(d, false, true);
    std::fwrite(text.data(), 1, text.size(), stderr);
    int status = exit_status(d);
    diag_free(d);
    return status;
}

}  // namespace

void add_targets(CLI::App &app, int *status) {
    auto o = std::make_shared<TargetsOptions>(); // the callback keeps it
    CLI::App *cmd = app.add_subcommand("targets", "the known targets and every parameter with its provenance");
    cmd->add_option("name", o->name, "one target, or a target file")->type_name("NAME|FILE.yaml");
    add_list(cmd, "--set", &o->common.sets, "override a key", "KEY=VALUE");
    cmd->add_option("--report", o->report, "text or json")->check(CLI::IsMember({"text", "json"}))->capture_default_str();
    cmd->add_option("-o,--output", o->output, "write to a file")->type_name("FILE");
    cmd->footer("Examples:\n  npusim targets\n  npusim targets a2a3\n  npusim targets my.yaml --report json");
    cmd->callback([o, status] { *status = targets(*o); });
}

}  // namespace npusim
