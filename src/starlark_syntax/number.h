// Floats as text, and comparisons of ints with floats.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "starlark_syntax/big_int.h"

namespace portico::starlark {

/// 'e' and 'f' with six digits; 'g' with as many as tell the number from its neighbours, always
/// with a point or an exponent. Upper-case letters give upper-case exponents. "nan", "+inf",
/// "-inf".
std::string format_float(double value, char conversion = 'g');

/// Decimal digits with point and exponent, sign allowed; infinite where out of range; nothing where
/// there is anything else.
std::optional<double> parse_float(std::string_view text);

/// A total order: nan is equal to itself and above everything.
std::weak_ordering order(double x, double y);
/// Exact, however large the int.
std::weak_ordering order(const BigInt& x, double y);
std::weak_ordering order(std::int64_t x, double y);

}  // namespace portico::starlark
