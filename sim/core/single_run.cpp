#include "sim/core/single_run.hpp"

extern "C" {
#include "isa/read/target_file.h"
}

namespace npusim {

SingleRunner::~SingleRunner() {
    for (auto &[name, e] : entries_) {
        e.core.reset();
        target_free(e.target);
    }
    single_free(&single_);
}

void SingleRunner::add_target(const std::string &name, Target *t) {
    if (entries_.count(name)) return target_free(t); // named twice
    std::string module = "core" + std::to_string(entries_.size());
    entries_[name] = Entry{t, std::make_unique<Core>(module.c_str(), *t, SimOptions{})};
}

const Target *SingleRunner::target(const std::string &name) const { return entries_.at(name).target; }

static std::string first_error(const Diag *d) {
    for (size_t i = 0; i < diag_count(d); i++)
        if (diag_at(d, i)->severity == SEV_ERROR) return diag_at(d, i)->text;
    return "";
}

SingleResult SingleRunner::run(const std::string &name, const SingleSpec &spec) {
    SingleResult r;
    Entry &e = entries_.at(name);
    Diag *d = diag_new();
    r.ok = single_build(&single_, &spec, e.target, d);
    if (r.ok) {
        Instr &i = single_.instr;
        const Tile *region = instr_main_tile(&i);
        Step step = {};
        step.uops = &single_.uops;
        step.instr = &i;
        step.op = i.info->name;
        step.pipe = i.info->pipe[e.target->family];
        step.seq = 1;
        step.dtype = region->type.dtype;
        step.rows = spec.rows;
        step.cols = spec.cols;
        bool given = false;
        RunResult all = e.core->run([&]() -> const Step * { return given ? nullptr : (given = true, &step); }, d);
        r.row = all.rows.at(0);
        for (int k = 0; k < i.nin; k++) r.operands.push_back(*i.in[k]);
        if (i.tmp) r.operands.push_back(*i.tmp);
        for (int k = 0; k < i.nout; k++) r.operands.push_back(*i.out[k]);
        r.uops.assign(single_.uops.uop, single_.uops.uop + single_.uops.n);
        if (i.tmp) r.tmp_bytes = tile_bytes(i.tmp);
        r.vf.assign(single_.uops.vf, single_.uops.vf + single_.uops.nvf);
        for (uint32_t k = 0; k < single_.uops.n; k++)
            if (single_.uops.uop[k].op == U_VF) r.functions.emplace_back(static_cast<uint32_t>(single_.uops.uop[k].imm), single_.uops.uop[k].rep);
    }
    r.error = first_error(d);
    diag_free(d);
    return r;
}

}  // namespace npusim
