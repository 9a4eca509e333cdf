#include "sim/report/json_text.hpp"

namespace npusim {

std::string json_text(const nlohmann::ordered_json &j, bool compact) {
    std::string s = j.dump(compact ? -1 : 2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return compact ? s : s + "\n";
}

}  // namespace npusim
