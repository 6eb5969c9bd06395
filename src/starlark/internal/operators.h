// Implements the operators. Every function may throw an EvalError.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "starlark/heap.h"
#include "starlark/value.h"
#include "starlark_syntax/big_int.h"
#include "starlark_syntax/operator.h"

namespace portico::starlark::internal {

/// Equal values have equal hashes, including 1 and 1.0. Lists, dicts, sets, ranges and views are
/// not hashable.
std::uint64_t hash_of(Heap& heap, Value value);
std::uint64_t hash_text(std::string_view text);
/// Maximum nesting of tuples for hashing.
constexpr int kHashDepth = 200;
bool is_hashable(Value value, int depth = kHashDepth);

/// Maximum nesting of lists and dicts in a comparison.
constexpr int kCompareDepth = 10;
/// ==, !=, <, <=, > or >=.
bool compare(Heap& heap, BinaryOp op, Value x, Value y, int depth = kCompareDepth);
inline bool equal(Heap& heap, Value x, Value y) { return compare(heap, BinaryOp::kEqual, x, y); }

Value binary(Heap& heap, BinaryOp op, Value x, Value y);
/// x += y and x |= y: lists and dicts are modified in place.
Value add_in_place(Heap& heap, Value x, Value y);
Value or_in_place(Heap& heap, Value x, Value y);
Value unary(Heap& heap, UnaryOp op, Value x);

Value get_index(Heap& heap, Value x, Value key);
void set_index(Heap& heap, Value x, Value key, Value value);
/// Each of `low`, `high` and `step` may be None.
Value slice(Heap& heap, Value x, Value low, Value high, Value step);

/// The number of elements; nullopt if the value has no length.
std::optional<std::int64_t> length(Value value);

/// Faults with "3 out of range" or "got float, want int", after `what`. Values that do not fit into
/// 32 bits are out of range.
std::int64_t as_int32(Value value, std::string_view what = "");
/// The range [start, end) of `size` elements denoted by two optional indices, clamped to bounds;
/// start may be after end.
struct Bounds {
  std::int64_t start, end;
};
Bounds bounds(Value start, Value end, std::int64_t size);

bool is_int(Value value);
/// The value of an int.
BigInt big_int(Value value);
/// Faults if the int exceeds the size limit.
Value make_int(Heap& heap, const BigInt& value);
Value make_int(std::int64_t value);
/// An int unchanged, a float without its fraction; a fault with `what` in front for anything else.
Value number_to_int(Heap& heap, Value value, std::string_view what = "");
/// An int or float as float; nullopt for other types.
std::optional<double> to_float(Value value);
/// The same for an int in arithmetic; faults if it is too large.
double finite_float(Value value);
/// Faults if a number with so many digits must exceed the size limit.
void check_digits(std::size_t digits, int base);

}  // namespace portico::starlark::internal
