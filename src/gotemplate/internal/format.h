// Formats values like Go: fmt.Sprint and fmt.Sprintf over JSON values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "json/value.h"

namespace portico::gotemplate::internal {

/// %v: strings as they are, "map[a:1 b:x]", "[1 2]", "<nil>".
std::string go_text(const json::Value& value);

/// fmt.Sprint: a blank between two operands if neither is a string. fmt.Sprintln: blanks between
/// all operands and a final line break.
std::string sprint(std::span<const json::Value> values);
std::string sprintln(std::span<const json::Value> values);

/// fmt.Sprintf with the verbs v, s, q, d, x, X, o, b, c, U, e, f, g, t, T, %, their flags, widths
/// (at most 10,000) and precisions. Mismatches are reported like in Go: "%!d(string=x)",
/// "%!s(MISSING)", "%!(EXTRA int=1)". A whole number is accepted wherever a float is.
std::string sprintf(std::string_view format, std::span<const json::Value> values);

}  // namespace portico::gotemplate::internal
