// The parser for what simdjson refuses: says where a text is wrong, and takes the rare text that is
// right but for which simdjson has no number.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/text.h"
#include "json/value.h"

namespace portico::json {

/// The same language and limits as parse(). Slower; every error has its "line:column" as place.
Result<Value> parse_carefully(std::string_view text, const ParseLimits& limits);

/// "line:column", both from 1; columns count characters, not bytes.
std::string position_text(std::string_view text, std::size_t offset);

}  // namespace portico::json
