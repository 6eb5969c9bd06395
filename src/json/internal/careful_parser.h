// The parser for texts that simdjson rejects: it locates errors, and accepts the rare valid text
// with a number that simdjson cannot represent.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/text.h"
#include "json/value.h"

namespace portico::json {

/// Same language and limits as parse(). Slower; every error has a "line:column" place.
Result<Value> parse_carefully(std::string_view text, const ParseLimits& limits);

/// "line:column", both from 1; columns count characters, not bytes.
std::string position_text(std::string_view text, std::size_t offset);

}  // namespace portico::json
