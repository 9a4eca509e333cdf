// Options of npusim profile and its forms: a trace, one instruction, a sweep of shapes, a table of shapes.
#pragma once

#include "sim/cli/options.hpp"
#include "sim/core/single_run.hpp"
#include "sim/report/profile.hpp"

namespace npusim {

struct ProfileOptions : CommonOptions {
    std::vector<std::string> targets, sweeps;
    std::string op, dtype = "f32", dst_dtype, shape, tile, layout = "spread", batch, by = "instr", window;
    uint32_t rows = 0, cols = 0;
    size_t top = 20;
    bool both = false, dynamic = false, tmp = false;
};

// The instruction that the options name, without its shape; false with a message in d.
bool profile_spec(const ProfileOptions &o, SingleSpec *s, Diag *d);
std::vector<std::string> profile_targets(const ProfileOptions &o); // default: both
// Loads the targets with --set for the runner; false after an error in d.
bool profile_load(const ProfileOptions &o, const std::vector<std::string> &targets, SingleRunner *r, Diag *d);

bool profile_trace(const ProfileOptions &o, Diag *d, std::string *out);
bool profile_sweep(const ProfileOptions &o, Diag *d, std::string *out);

}  // namespace npusim
