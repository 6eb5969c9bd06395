// Converts JSON text to Value and back (RFC 8259).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace portico::json {

struct ParseLimits {
  std::size_t bytes = 64u << 20;
  int depth = 512;
};

/// Parses strict JSON, a single value. Errors (kInvalid) carry "line:column". The last of equal
/// keys wins.
Result<Value> parse(std::string_view text, const ParseLimits& limits = {});

/// Compact: no blanks, keys sorted, "\u" escapes only for control characters. A double always has a
/// '.' or an 'e' and reads back as the same double; NaN and infinities become null.
std::string print(const Value& value);

/// Indented by `indent` blanks per level; kubectl -o json uses 4.
std::string print_pretty(const Value& value, int indent = 4);

/// Whether parse(print(value)) gives an equal value: strings are UTF-8, numbers are finite, and
/// there are at most limits.depth levels. kInvalid with the place in the value.
Result<Done> check_printable(const Value& value, const ParseLimits& limits = {});

/// Appends `text` as a JSON string, including quotes.
void append_quoted(std::string& out, std::string_view text);

}  // namespace portico::json
