// Reports of npusim profile.
#pragma once

#include "sim/report/analysis.hpp"

namespace npusim {

constexpr size_t kLimits = 5;  // bottlenecks that a report for people shows

struct ProfileView {
    GroupBy by = BY_INSTR;
    size_t top = 20;                   // rows of a table
    uint64_t from = 0, until = ~0ull;  // cycles of the text timeline
};

// Everything about one run that is added up once and shown in every form.
struct Profile {
    const RunResult &r;
    const ReportContext &c;
    CriticalPath path;
    std::vector<Bottleneck> limits;
    Profile(const RunResult &result, const ReportContext &context)
        : r(result), c(context), path(critical_path(result)), limits(bottlenecks(result, path, context)) {}
};

std::string profile_text(const Profile &p, const ProfileView &v);
std::string profile_json(const Profile &p, const ProfileView &v);
std::string profile_csv(const Profile &p, const ProfileView &v);
// Bars of instructions over time with what they waited for: # runs, p f b s waits.
std::string text_timeline(const RunResult &r, const ProfileView &v);

}  // namespace npusim
