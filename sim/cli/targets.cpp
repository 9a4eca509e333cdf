// npusim targets: the known targets and every parameter with its provenance.
#include <cstdio>

#include "sim/cli/commands.hpp"
#include "sim/report/json_text.hpp"
#include "sim/report/table.hpp"

extern "C" {
#include "isa/read/target_file.h"
}

namespace npusim {

namespace {

std::string one_text(const Target *t) {
    Table table({"<key", "value", "<kind", "<source or meaning"});
    for (size_t i = 0; i < target_key_count(t); i++) {
        const TargetKey *k = target_key_at(t, i);
        table.row({k->path, k->value, k->numeric ? prov_name(k->num.prov) : "", k->numeric && k->num.source ? k->num.source : k->doc ? k->doc : ""});
    }
    return std::string(t->name) + ": " + t->title + "\n" + t->path + "\n\n" + table.text();
}

nlohmann::ordered_json one_json(const Target *t) {
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
    return j;
}

std::string list_text(const std::vector<Target *> &targets) {
    Table t({"<target", "<what", "UB bytes", "clock MHz", "<file"});
    for (const Target *x : targets) {
        char mhz[32];
        std::snprintf(mhz, sizeof mhz, "%.0f", x->clock_hz.v / 1e6);
        t.row({x->name, x->title, std::to_string(static_cast<uint64_t>(x->ub.bytes.v)), mhz, x->path});
    }
    return t.text() + "\n`npusim targets NAME` shows every parameter with its source; a target of your own is a copied and edited file: --target my.yaml\n";
}

std::string list_json(const std::vector<Target *> &targets) {
    auto j = nlohmann::ordered_json::array();
    for (const Target *t : targets) j.push_back(one_json(t));
    return json_text(j);
}

std::vector<std::string> builtin() {
    std::vector<std::string> names;
    for (const char *const *n = target_builtin(); *n; n++) names.push_back(*n);
    return names;
}

}  // namespace

int targets(const TargetsOptions &o) {
    Diag *d = diag_new();
    const bool all = o.name.empty(), json = o.report == "json";
    const std::vector<Target *> list = load_targets(all ? builtin() : std::vector<std::string>{o.name}, o.sets, d);
    if (!list.empty()) {
        if (all) write_output(json ? list_json(list) : list_text(list), o.output, d);
        else write_output(json ? json_text(one_json(list[0])) : one_text(list[0]), o.output, d);
    }
    for (Target *t : list) target_free(t);
    return finish(d);
}

}  // namespace npusim
