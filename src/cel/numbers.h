// Reads and prints numbers as CEL does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portico::cel {

/// Reads the digits of a double literal; overflow gives infinity, underflow zero.
double read_double_literal(std::string_view digits);

/// The syntax of int(), uint() and double(): the whole text, optional sign, no blanks. double()
/// also accepts inf, infinity and nan in any case, and rejects values that are too large.
std::optional<std::int64_t> read_int(std::string_view text);
std::optional<std::uint64_t> read_uint(std::string_view text);
std::optional<double> read_double(std::string_view text);

/// The shortest text that reads back as the same double, with an exponent below 1e-4 and from 1e6
/// on: "0.5", "123456.7", "1e+06"; infinities are "+Inf" and "-Inf".
std::string double_text(double value);

/// The same without an exponent: "1000000000000000000000".
std::string double_plain(double value);

/// printf's %.*f and %.*e, exact; finite numbers only.
std::string double_fixed(double value, int precision);
std::string double_scientific(double value, int precision);

}  // namespace portico::cel
