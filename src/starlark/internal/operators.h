// What the operators do. Everything here may throw a Fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "starlark/heap.h"
#include "starlark/value.h"
#include "starlark_syntax/big_int.h"
#include "starlark_syntax/operator.h"

namespace portico::starlark::internal {

/// Equal values have equal hashes, 1 and 1.0 too. Lists, dicts, sets, ranges and views have none.
std::uint64_t hash_of(Heap& heap, Value value);
std::uint64_t hash_text(std::string_view text);
/// Tuples in tuples are hashed so deep.
constexpr int kHashDepth = 200;
bool is_hashable(Value value, int depth = kHashDepth);

/// A comparison goes so deep into lists and dicts and no deeper.
constexpr int kCompareDepth = 10;
/// ==, !=, <, <=, > or >=.
bool compare(Heap& heap, BinaryOp op, Value x, Value y, int depth = kCompareDepth);
inline bool equal(Heap& heap, Value x, Value y) { return compare(heap, BinaryOp::kEqual, x, y); }

Value binary(Heap& heap, BinaryOp op, Value x, Value y);
/// x += y and x |= y: lists and dicts change and stay the same object.
Value add_in_place(Heap& heap, Value x, Value y);
Value or_in_place(Heap& heap, Value x, Value y);
Value unary(Heap& heap, UnaryOp op, Value x);

Value get_index(Heap& heap, Value x, Value key);
void set_index(Heap& heap, Value x, Value key, Value value);
/// Each of `low`, `high` and `step` may be None.
Value slice(Heap& heap, Value x, Value low, Value high, Value step);

/// Number of elements; nothing for what has no length.
std::optional<std::int64_t> length(Value value);

/// "3 out of range" and "got float, want int" behind `what` are faults; what does not fit into 32
/// bits is out of range.
std::int64_t as_int32(Value value, std::string_view what = "");
/// The part [start, end) of `size` elements that two optional indices mean, within bounds; start
/// may lie behind end.
struct Bounds {
  std::int64_t start, end;
};
Bounds bounds(Value start, Value end, std::int64_t size);

bool is_int(Value value);
/// Of an int.
BigInt big_int(Value value);
/// Within the limit on the size of ints.
Value make_int(Heap& heap, const BigInt& value);
Value make_int(std::int64_t value);
/// An int as it is, a float without its fraction; for anything else a fault with `what` in front.
Value number_to_int(Heap& heap, Value value, std::string_view what = "");
/// An int or float as float; nothing for another type.
std::optional<double> to_float(Value value);
/// The same of an int in arithmetic, where one that is too large is a fault.
double finite_float(Value value);
/// Fault for a number of digits that a smaller number could not have.
void check_digits(std::size_t digits, int base);

}  // namespace portico::starlark::internal
