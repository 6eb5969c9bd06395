// JSON text to Value and back (RFC 8259).
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

/// Strict JSON, one value. Errors (kInvalid) carry "line:column". Of equal keys the last one stays.
Result<Value> parse(std::string_view text, const ParseLimits& limits = {});

/// Compact: no blanks, keys sorted, "\u" escapes only for control characters; a double always shows
/// a '.', 'e' or is written so that it parses back to the same double (NaN and infinities: null).
std::string print(const Value& value);

/// Indented by `indent` blanks a level, as kubectl -o json prints (4).
std::string print_pretty(const Value& value, int indent = 4);

/// Whether parse(print(value)) gives an equal value: strings are UTF-8, numbers finite, and no more
/// than limits.depth levels. kInvalid with the place in the value.
Result<Done> check_printable(const Value& value, const ParseLimits& limits = {});

/// Appends `text` as a JSON string with its quotes.
void append_quoted(std::string& out, std::string_view text);

}  // namespace portico::json
