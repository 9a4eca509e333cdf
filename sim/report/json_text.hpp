// JSON as text. The only place that serialises: the library's serialiser is slow to compile.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace npusim {

// Indented, with a line end; compact: on one line, without. Bytes that are no UTF-8 (file names,
// texts of the user's files) become a replacement character.
std::string json_text(const nlohmann::ordered_json &j, bool compact = false);

}  // namespace npusim
