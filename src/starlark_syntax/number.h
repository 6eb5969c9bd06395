// Converts floats to and from text, and compares ints with floats.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "starlark_syntax/big_int.h"

namespace portico::starlark {

/// 'e' and 'f' with six digits; 'g' with as many digits as identify the number, always with a point
/// or an exponent. Upper-case conversions give upper-case exponents. "nan", "+inf", "-inf".
std::string format_float(double value, char conversion = 'g');

/// Parses decimal digits with point and exponent and an optional sign; infinite if out of range;
/// nullopt for anything else.
std::optional<double> parse_float(std::string_view text);

/// A total order: nan equals itself and is greater than everything else.
std::weak_ordering order(double x, double y);
/// Exact, whatever the size of the int.
std::weak_ordering order(const BigInt& x, double y);
std::weak_ordering order(std::int64_t x, double y);

}  // namespace portico::starlark
