// Equality, order, sizes and hashes of values.
#include <cmath>
#include <functional>

#include "cel/utf8.h"
#include "cel/value.h"

namespace portico::cel {
namespace {

template <class T>
int order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int order_int_uint(std::int64_t a, std::uint64_t b) {
  return a < 0 ? -1 : order(static_cast<std::uint64_t>(a), b);
}

// Outside the integer's range, the order is clear. Inside it, the integer is first rounded to a
// double, so 2^63 - 1 and 2^63 as a double are equal, as CEL's conformance tests require.
std::optional<int> order_double_int(double a, std::int64_t b) {
  if (std::isnan(a)) return std::nullopt;
  if (a < -0x1p63) return -1;
  if (a > 0x1p63) return 1;
  return order(a, static_cast<double>(b));
}

std::optional<int> order_double_uint(double a, std::uint64_t b) {
  if (std::isnan(a)) return std::nullopt;
  if (a < 0) return -1;
  if (a > 0x1p64) return 1;
  return order(a, static_cast<double>(b));
}

std::optional<int> reversed(std::optional<int> result) {
  if (result) *result = -*result;
  return result;
}

std::optional<int> order_numbers(const Value& a, const Value& b) {
  if (a.kind() == b.kind()) {
    if (a.is(Kind::kInt)) return order(a.as_int(), b.as_int());
    if (a.is(Kind::kUint)) return order(a.as_uint(), b.as_uint());
    if (std::isnan(a.as_double()) || std::isnan(b.as_double())) return std::nullopt;
    return order(a.as_double(), b.as_double());
  }
  if (a.is(Kind::kInt) && b.is(Kind::kUint)) return order_int_uint(a.as_int(), b.as_uint());
  if (a.is(Kind::kDouble) && b.is(Kind::kInt)) return order_double_int(a.as_double(), b.as_int());
  if (a.is(Kind::kDouble)) return order_double_uint(a.as_double(), b.as_uint());
  return reversed(order_numbers(b, a));
}

bool equal_lists(const List& a, const List& b) {
  if (&a == &b && a.size() == 0) return true;
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a.at(i) == b.at(i))) return false;
  return true;
}

bool equal_maps(const Map& a, const Map& b) {
  if (a.size() != b.size()) return false;
  for (const Value& key : a.keys()) {
    const std::optional<Value> mine = a.find(key);
    const std::optional<Value> theirs = b.find(key);
    if (!mine || !theirs || !(*mine == *theirs)) return false;
  }
  return true;
}

std::size_t mix(std::size_t seed, std::size_t hash) {
  return seed ^ (hash + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
}

std::size_t scramble(std::uint64_t bits) {
  bits ^= bits >> 33;
  bits *= 0xff51afd7ed558ccdull;
  return static_cast<std::size_t>(bits ^ (bits >> 33));
}

// Numbers that can be equal across types share a hash: whole numbers that a double represents
// exactly hash as integers, all others by their double.
std::size_t hash_double(double value) {
  if (value == std::trunc(value) && std::abs(value) <= 0x1p53)
    return scramble(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  return std::hash<double>{}(value);
}

template <class T>
std::size_t hash_whole(T value) {
  const auto as_double = static_cast<double>(value);
  return std::abs(as_double) <= 0x1p53 ? scramble(static_cast<std::uint64_t>(value))
                                       : hash_double(as_double);
}

}  // namespace

bool operator==(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return order_numbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return a.as_bool() == b.as_bool();
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kType:
      return a.text() == b.text();
    case Kind::kTimestamp:
      return a.as_timestamp() == b.as_timestamp();
    case Kind::kDuration:
      return a.as_duration() == b.as_duration();
    case Kind::kList:
      return equal_lists(a.as_list(), b.as_list());
    case Kind::kMap:
      return equal_maps(a.as_map(), b.as_map());
    case Kind::kOptional: {
      const Value* mine = a.as_optional();
      const Value* theirs = b.as_optional();
      if (mine == nullptr || theirs == nullptr) return mine == theirs;
      return *mine == *theirs;
    }
    case Kind::kOpaque:
      return a.type_name() == b.type_name() && a.as_opaque().equals(b.as_opaque());
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kError:
      return false;
  }
  return false;
}

std::optional<int> compare(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return order_numbers(a, b);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::kBool:
      return order(a.as_bool(), b.as_bool());
    case Kind::kString:
    case Kind::kBytes:
      return order(a.text(), b.text());
    case Kind::kTimestamp:
      return order(a.as_timestamp(), b.as_timestamp());
    case Kind::kDuration:
      return order(a.as_duration(), b.as_duration());
    default:
      return std::nullopt;
  }
}

std::size_t size_of(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      return count_code_points(value.text());
    case Kind::kBytes:
      return value.text().size();
    case Kind::kList:
      return value.as_list().size();
    case Kind::kMap:
      return value.as_map().size();
    default:
      return 0;
  }
}

std::size_t hash_of(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
      return value.as_bool() ? 0x51ed27 : 0x7a3c11;
    case Kind::kInt:
      return hash_whole(value.as_int());
    case Kind::kUint:
      return hash_whole(value.as_uint());
    case Kind::kDouble:
      return hash_double(value.as_double());
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kType:
      return std::hash<std::string_view>{}(value.text());
    case Kind::kTimestamp:
      return mix(scramble(static_cast<std::uint64_t>(value.as_timestamp().seconds)),
                 static_cast<std::size_t>(value.as_timestamp().nanos));
    case Kind::kDuration:
      return scramble(static_cast<std::uint64_t>(value.as_duration()) ^ 0xd0);
    case Kind::kList: {
      std::size_t seed = value.as_list().size();
      for (std::size_t i = 0; i < value.as_list().size(); ++i)
        seed = mix(seed, hash_of(value.as_list().at(i)));
      return seed;
    }
    case Kind::kMap:
      return scramble(value.as_map().size() + 0x3a90);
    case Kind::kOptional: {
      const Value* held = value.as_optional();
      return held == nullptr ? 0x0b7 : mix(0x0b8, hash_of(*held));
    }
    case Kind::kOpaque:
      return std::hash<std::string_view>{}(value.type_name());
    case Kind::kNull:
    case Kind::kError:
      return 0;
  }
  return 0;
}

}  // namespace portico::cel
