// npusim: simulator of the vector core of Ascend NPUs.
#include <cstdlib>

#include "sim/cli/commands.hpp"

int main(int argc, char **argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return npusim::command_line(argc, argv);
}
