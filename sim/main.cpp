// npusim: simulator of the vector core of Ascend NPUs.
#include <cstdlib>

#include "sim/cli/options.hpp"

int main(int argc, char **argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    int status = npusim::EXIT_OK;
    CLI::App app{"npusim: runs PTO tile instructions on a modelled Ascend vector core (a2a3, 950) and reports results and cycles"};
    app.set_version_flag("--version", "npusim " NPUSIM_VERSION);
    app.require_subcommand(1);
    app.footer("Example:\n  npusim run traces/row_argmin.pto --target a2a3\nEvery command has --help.");
    npusim::add_run(app, &status);
    npusim::add_profile(app, &status);
    npusim::add_compare(app, &status);
    npusim::add_lower(app, &status);
    npusim::add_check(app, &status);
    npusim::add_isa(app, &status);
    npusim::add_targets(app, &status);
    const std::vector<std::string> words = npusim::join_tolerances(argc, argv);
    std::vector<const char *> list;
    for (const std::string &w : words) list.push_back(w.c_str());
    try {
        app.parse(static_cast<int>(list.size()), list.data());
    } catch (const CLI::ParseError &e) {
        return app.exit(e) ? npusim::EXIT_UNREADABLE : npusim::EXIT_OK;
    }
    return status;
}
