#include "starlark_syntax/big_int.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace portico::starlark {

namespace {

constexpr int kLimbBits = 32;

void trim(std::vector<std::uint32_t>& limbs) {
  while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
}

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// limbs = limbs * factor + carry.
void scale(std::vector<std::uint32_t>& limbs, std::uint32_t factor, std::uint32_t carry) {
  std::uint64_t rest = carry;
  for (std::uint32_t& limb : limbs) {
    rest += std::uint64_t{limb} * factor;
    limb = low(rest);
    rest >>= kLimbBits;
  }
  if (rest != 0) limbs.push_back(low(rest));
}

/// limbs = limbs / divisor; returns the remainder.
std::uint32_t shrink(std::vector<std::uint32_t>& limbs, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    rest = rest << kLimbBits | limbs[i];
    limbs[i] = low(rest / divisor);
    rest %= divisor;
  }
  trim(limbs);
  return low(rest);
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

/// The largest power of `base` that fits in one limb, and its number of digits.
struct Chunk {
  std::uint32_t power = 1;
  int digits = 0;
};

Chunk chunk_of(int base) {
  Chunk chunk;
  const auto factor = static_cast<std::uint32_t>(base);
  while (std::uint64_t{chunk.power} * factor <= UINT32_MAX) {
    chunk.power *= factor;
    ++chunk.digits;
  }
  return chunk;
}

}  // namespace

BigInt::BigInt(std::int64_t value) : negative_(value < 0) {
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (negative_) magnitude = ~magnitude + 1;
  for (; magnitude != 0; magnitude >>= kLimbBits) limbs_.push_back(low(magnitude));
}

BigInt::BigInt(bool negative, Limbs limbs) : negative_(negative), limbs_(std::move(limbs)) {
  trim(limbs_);
  if (limbs_.empty()) negative_ = false;
}

std::optional<BigInt> BigInt::parse(std::string_view digits, int base) {
  if (digits.empty()) return std::nullopt;
  const Chunk chunk = chunk_of(base);
  Limbs limbs;
  while (!digits.empty()) {
    const std::size_t count = std::min(digits.size(), static_cast<std::size_t>(chunk.digits));
    std::uint32_t value = 0;
    std::uint32_t power = 1;
    for (const char c : digits.substr(0, count)) {
      const int digit = digit_value(c);
      if (digit >= base) return std::nullopt;
      value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit);
      power *= static_cast<std::uint32_t>(base);
    }
    scale(limbs, power, value);
    digits.remove_prefix(count);
  }
  return BigInt(false, std::move(limbs));
}

BigInt BigInt::from_double(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::trunc(value), &exponent);
  if (fraction == 0) return {};
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::fabs(fraction), 53));
  BigInt result(mantissa);
  result = exponent >= 53 ? result << static_cast<std::size_t>(exponent - 53)
                          : result >> static_cast<std::size_t>(53 - exponent);
  return value < 0 ? -result : result;
}

std::size_t BigInt::bits() const {
  if (limbs_.empty()) return 0;
  return limbs_.size() * kLimbBits - static_cast<std::size_t>(std::countl_zero(limbs_.back()));
}

std::optional<std::uint64_t> BigInt::to_uint64() const {
  if (negative_ || limbs_.size() > 2) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) value = value << kLimbBits | limbs_[i];
  return value;
}

std::optional<std::int64_t> BigInt::to_int64() const {
  const auto magnitude = BigInt(false, limbs_).to_uint64();
  constexpr std::uint64_t kMost = INT64_MAX;
  if (!magnitude || *magnitude > kMost + (negative_ ? 1 : 0)) return std::nullopt;
  return static_cast<std::int64_t>(negative_ ? ~*magnitude + 1 : *magnitude);
}

double BigInt::to_double() const {
  const std::size_t size = bits();
  if (size <= 64) {
    const double magnitude = static_cast<double>(*BigInt(false, limbs_).to_uint64());
    return negative_ ? -magnitude : magnitude;
  }
  // 64 bits with a sticky last bit round like the whole number.
  const std::size_t shift = size - 64;
  const BigInt magnitude(false, limbs_);
  const BigInt top = magnitude >> shift;
  std::uint64_t mantissa = *top.to_uint64();
  if (top << shift != magnitude) mantissa |= 1;
  if (shift > 2000) return negative_ ? -HUGE_VAL : HUGE_VAL;
  const double value = std::ldexp(static_cast<double>(mantissa), static_cast<int>(shift));
  return negative_ ? -value : value;
}

std::string BigInt::text(int base) const {
  if (limbs_.empty()) return "0";
  const Chunk chunk = chunk_of(base);
  std::string reversed;
  Limbs limbs = limbs_;
  while (!limbs.empty()) {
    std::uint32_t rest = shrink(limbs, chunk.power);
    for (int i = 0; i < chunk.digits && (rest != 0 || !limbs.empty()); ++i) {
      reversed += "0123456789abcdefghijklmnopqrstuvwxyz"[rest % static_cast<std::uint32_t>(base)];
      rest /= static_cast<std::uint32_t>(base);
    }
  }
  if (negative_) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

std::uint64_t BigInt::hash() const {
  std::uint64_t hash = negative_ ? 1 : 0;
  for (const std::uint32_t limb : limbs_) hash = hash * 0x9e3779b97f4a7c15U + limb;
  return hash;
}

BigInt::Limbs BigInt::add(const Limbs& x, const Limbs& y) {
  const Limbs& longer = x.size() < y.size() ? y : x;
  const Limbs& shorter = x.size() < y.size() ? x : y;
  Limbs sum;
  sum.reserve(longer.size() + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < longer.size(); ++i) {
    carry += longer[i];
    if (i < shorter.size()) carry += shorter[i];
    sum.push_back(low(carry));
    carry >>= kLimbBits;
  }
  if (carry != 0) sum.push_back(low(carry));
  return sum;
}

BigInt::Limbs BigInt::subtract(const Limbs& x, const Limbs& y) {
  Limbs difference = x;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t take = borrow + (i < y.size() ? y[i] : 0);
    borrow = take > x[i] ? 1 : 0;
    difference[i] = low(x[i] - take);
  }
  return difference;
}

std::strong_ordering BigInt::compare(const Limbs& x, const Limbs& y) {
  if (x.size() != y.size()) return x.size() <=> y.size();
  for (std::size_t i = x.size(); i-- > 0;)
    if (x[i] != y[i]) return x[i] <=> y[i];
  return std::strong_ordering::equal;
}

std::strong_ordering operator<=>(const BigInt& x, const BigInt& y) {
  if (x.negative_ != y.negative_) return y.negative_ <=> x.negative_;
  return x.negative_ ? BigInt::compare(y.limbs_, x.limbs_) : BigInt::compare(x.limbs_, y.limbs_);
}

BigInt BigInt::operator-() const { return {!negative_, limbs_}; }

BigInt operator+(const BigInt& x, const BigInt& y) {
  if (x.negative_ == y.negative_) return {x.negative_, BigInt::add(x.limbs_, y.limbs_)};
  if (BigInt::compare(x.limbs_, y.limbs_) >= 0)
    return {x.negative_, BigInt::subtract(x.limbs_, y.limbs_)};
  return {y.negative_, BigInt::subtract(y.limbs_, x.limbs_)};
}

BigInt operator-(const BigInt& x, const BigInt& y) { return x + -y; }

BigInt operator*(const BigInt& x, const BigInt& y) {
  BigInt::Limbs product(x.limbs_.size() + y.limbs_.size());
  for (std::size_t i = 0; i < x.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < y.limbs_.size(); ++j) {
      carry += std::uint64_t{x.limbs_[i]} * y.limbs_[j] + product[i + j];
      product[i + j] = low(carry);
      carry >>= kLimbBits;
    }
    product[i + y.limbs_.size()] = low(carry);
  }
  return {x.negative_ != y.negative_, std::move(product)};
}

/// Knuth's algorithm D (The Art of Computer Programming, 4.3.1).
BigInt::Limbs BigInt::divide(const Limbs& x, const Limbs& y, Limbs& rest) {
  if (compare(x, y) < 0) {
    rest = x;
    return {};
  }
  Limbs quotient = x;
  if (y.size() == 1) {
    rest = {shrink(quotient, y[0])};
    trim(rest);
    return quotient;
  }
  const auto shift = static_cast<std::size_t>(std::countl_zero(y.back()));
  const Limbs divisor = (BigInt(false, y) << shift).limbs_;
  rest = (BigInt(false, x) << shift).limbs_;
  const std::size_t n = divisor.size();
  rest.resize(std::max(rest.size(), x.size()) + 1);
  quotient.assign(rest.size() - n, 0);
  for (std::size_t j = quotient.size(); j-- > 0;) {
    const std::uint64_t head = std::uint64_t{rest[j + n]} << kLimbBits | rest[j + n - 1];
    std::uint64_t guess = head / divisor[n - 1];
    std::uint64_t left = head % divisor[n - 1];
    while (guess > UINT32_MAX || guess * divisor[n - 2] > (left << kLimbBits | rest[j + n - 2])) {
      --guess;
      left += divisor[n - 1];
      if (left > UINT32_MAX) break;
    }
    std::int64_t borrow = 0;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < n; ++i) {
      carry += guess * divisor[i];
      const std::int64_t digit = std::int64_t{rest[i + j]} - std::int64_t{low(carry)} + borrow;
      rest[i + j] = low(static_cast<std::uint64_t>(digit));
      borrow = digit >> kLimbBits;
      carry >>= kLimbBits;
    }
    const std::int64_t last = std::int64_t{rest[j + n]} - static_cast<std::int64_t>(carry) + borrow;
    rest[j + n] = low(static_cast<std::uint64_t>(last));
    if (last < 0) {  // the guess was one too large
      --guess;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += std::uint64_t{rest[i + j]} + divisor[i];
        rest[i + j] = low(sum);
        sum >>= kLimbBits;
      }
      rest[j + n] = low(rest[j + n] + sum);
    }
    quotient[j] = low(guess);
  }
  rest = (BigInt(false, std::move(rest)) >> shift).limbs_;
  trim(quotient);
  return quotient;
}

Division divide(const BigInt& x, const BigInt& y) {
  BigInt::Limbs rest;
  BigInt::Limbs quotient = BigInt::divide(x.limbs_, y.limbs_, rest);
  Division result{BigInt(x.negative_ != y.negative_, std::move(quotient)),
                  BigInt(x.negative_, std::move(rest))};
  if (!result.rest.is_zero() && x.negative_ != y.negative_) {
    result.quotient = result.quotient - BigInt(1);
    result.rest = result.rest + y;
  }
  return result;
}

BigInt BigInt::operator<<(std::size_t count) const {
  if (limbs_.empty()) return {};
  Limbs limbs(count / kLimbBits, 0);
  const int shift = static_cast<int>(count % kLimbBits);
  std::uint64_t carry = 0;
  for (const std::uint32_t limb : limbs_) {
    carry |= std::uint64_t{limb} << shift;
    limbs.push_back(low(carry));
    carry >>= kLimbBits;
  }
  limbs.push_back(low(carry));
  return {negative_, std::move(limbs)};
}

BigInt BigInt::operator>>(std::size_t count) const {
  const std::size_t skip = count / kLimbBits;
  const int shift = static_cast<int>(count % kLimbBits);
  bool lost = false;
  for (std::size_t i = 0; i < std::min(skip, limbs_.size()); ++i) lost = lost || limbs_[i] != 0;
  Limbs limbs;
  for (std::size_t i = skip; i < limbs_.size(); ++i) {
    const std::uint64_t high = i + 1 < limbs_.size() ? limbs_[i + 1] : 0;
    limbs.push_back(low((high << kLimbBits | limbs_[i]) >> shift));
  }
  if (skip < limbs_.size())
    lost = lost || low(std::uint64_t{limbs_[skip]} << (kLimbBits - shift)) != 0;
  const BigInt result(negative_, std::move(limbs));
  return negative_ && lost ? result - BigInt(1) : result;
}

template <class Operation>
BigInt BigInt::bitwise(const BigInt& x, const BigInt& y, Operation operation) {
  const std::size_t size = std::max(x.limbs_.size(), y.limbs_.size()) + 1;
  const auto complement = [size](const BigInt& value) {
    Limbs limbs = value.limbs_;
    limbs.resize(size);
    if (!value.negative_) return limbs;
    std::uint64_t carry = 1;
    for (std::uint32_t& limb : limbs) {
      carry += low(~std::uint64_t{limb});
      limb = low(carry);
      carry >>= kLimbBits;
    }
    return limbs;
  };
  Limbs result = complement(x);
  const Limbs other = complement(y);
  for (std::size_t i = 0; i < size; ++i) result[i] = operation(result[i], other[i]);
  const bool negative = (result.back() & 0x80000000U) != 0;
  if (!negative) return {false, std::move(result)};
  const BigInt magnitude(true, std::move(result));
  return {true, complement(magnitude)};
}

BigInt operator&(const BigInt& x, const BigInt& y) {
  return BigInt::bitwise(x, y, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}
BigInt operator|(const BigInt& x, const BigInt& y) {
  return BigInt::bitwise(x, y, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}
BigInt operator^(const BigInt& x, const BigInt& y) {
  return BigInt::bitwise(x, y, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
}

}  // namespace portico::starlark
