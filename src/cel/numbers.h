// Numbers as text, as CEL prints and reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portico::cel {

/// The digits of a double literal; what is too large is infinite, too small zero.
double read_double_literal(std::string_view digits);

/// What int(), uint() and double() take: whole text, optional sign, no blanks. double() also takes
/// inf, infinity and nan in any case, and refuses what is too large.
std::optional<std::int64_t> read_int(std::string_view text);
std::optional<std::uint64_t> read_uint(std::string_view text);
std::optional<double> read_double(std::string_view text);

/// Shortest text that reads back as the same double, with an exponent below 1e-4 and from 1e6 on:
/// "0.5", "123456.7", "1e+06"; infinities are "+Inf" and "-Inf".
std::string double_text(double value);

/// The same without an exponent: "1000000000000000000000".
std::string double_plain(double value);

/// printf's %.*f and %.*e, exact; finite numbers only.
std::string double_fixed(double value, int precision);
std::string double_scientific(double value, int precision);

}  // namespace portico::cel
