// Integers of arbitrary size, for values that do not fit into 64 bits.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portico::starlark {

/// Maximum size of a program's ints in bits; stops repeated squaring in a loop.
constexpr std::size_t kMaxIntBits = std::size_t{1} << 17;

/// Sign and magnitude. Every operation is exact; the caller must limit the size of numbers
/// (bits()). The algorithms are schoolbook arithmetic.
class BigInt {
 public:
  BigInt() = default;
  explicit BigInt(std::int64_t value);

  /// Parses digits of `base` (2 to 36, either case) without sign; nullopt for anything else.
  static std::optional<BigInt> parse(std::string_view digits, int base);
  /// Rounds towards zero; `value` must be finite.
  static BigInt from_double(double value);

  bool is_zero() const { return limbs_.empty(); }
  bool is_negative() const { return negative_; }
  std::size_t bits() const;  // of the magnitude
  std::optional<std::int64_t> to_int64() const;
  std::optional<std::uint64_t> to_uint64() const;
  /// The nearest double, ties to even; infinite if out of range.
  double to_double() const;
  std::string text(int base = 10) const;  // lower-case digits
  std::uint64_t hash() const;

  BigInt operator-() const;
  friend BigInt operator+(const BigInt& x, const BigInt& y);
  friend BigInt operator-(const BigInt& x, const BigInt& y);
  friend BigInt operator*(const BigInt& x, const BigInt& y);
  // As on two's complement numbers of infinite length.
  friend BigInt operator&(const BigInt& x, const BigInt& y);
  friend BigInt operator|(const BigInt& x, const BigInt& y);
  friend BigInt operator^(const BigInt& x, const BigInt& y);
  BigInt operator<<(std::size_t count) const;
  BigInt operator>>(std::size_t count) const;  // rounds down

  friend bool operator==(const BigInt& x, const BigInt& y) = default;
  friend std::strong_ordering operator<=>(const BigInt& x, const BigInt& y);

 private:
  friend struct Division;
  friend struct Division divide(const BigInt& x, const BigInt& y);
  using Limbs = std::vector<std::uint32_t>;  // least significant first, no trailing zero limbs
  BigInt(bool negative, Limbs limbs);
  static Limbs add(const Limbs& x, const Limbs& y);
  static Limbs subtract(const Limbs& x, const Limbs& y);  // x >= y
  static std::strong_ordering compare(const Limbs& x, const Limbs& y);
  static Limbs divide(const Limbs& x, const Limbs& y, Limbs& rest);
  template <class Operation>
  static BigInt bitwise(const BigInt& x, const BigInt& y, Operation operation);

  bool negative_ = false;
  Limbs limbs_;
};

/// Rounded down: x == quotient * y + rest, and rest has the sign of y.
struct Division {
  BigInt quotient, rest;
};
Division divide(const BigInt& x, const BigInt& y);  // y is not 0

}  // namespace portico::starlark
