// Operators on numbers, strings, lists, dicts and sets.
#include <cmath>

#include "starlark/internal/containers.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/format.h"
#include "starlark/internal/iterate.h"
#include "starlark/internal/operators.h"
#include "starlark_syntax/number.h"

namespace portico::starlark::internal {

namespace {

[[noreturn]] void unknown(BinaryOp op, Value x, Value y) {
  fault("unknown binary op: {} {} {}", x.type_name(), symbol(op), y.type_name());
}

double float_modulo(double x, double y) {
  double rest = std::fmod(x, y);
  if ((x < 0) != (y < 0) && rest != 0) rest += y;
  return rest;
}

Value on_floats(BinaryOp op, double x, double y) {
  switch (op) {
    case BinaryOp::kAdd:
      return Value(x + y);
    case BinaryOp::kSubtract:
      return Value(x - y);
    case BinaryOp::kMultiply:
      return Value(x * y);
    case BinaryOp::kDivide:
      if (y == 0) fault("floating-point division by zero");
      return Value(x / y);
    case BinaryOp::kFloorDivide:
      if (y == 0) fault("floored division by zero");
      return Value(std::floor(x / y));
    default:
      if (y == 0) fault("floating-point modulo by zero");
      return Value(float_modulo(x, y));
  }
}

/// nullopt if the result does not fit.
std::optional<std::int64_t> on_small_ints(BinaryOp op, std::int64_t x, std::int64_t y) {
  std::int64_t result = 0;
  switch (op) {
    case BinaryOp::kAdd:
      return __builtin_add_overflow(x, y, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::kSubtract:
      return __builtin_sub_overflow(x, y, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::kMultiply:
      return __builtin_mul_overflow(x, y, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::kFloorDivide:
    case BinaryOp::kModulo: {
      if (x == INT64_MIN || y == 0) return std::nullopt;
      const std::int64_t rest = x % y;
      const bool down = rest != 0 && (rest < 0) != (y < 0);
      if (op == BinaryOp::kModulo) return down ? rest + y : rest;
      return down ? x / y - 1 : x / y;
    }
    case BinaryOp::kAnd:
      return x & y;
    case BinaryOp::kOr:
      return x | y;
    case BinaryOp::kXor:
      return x ^ y;
    default:
      return std::nullopt;
  }
}

Value on_ints(Heap& heap, BinaryOp op, Value x, Value y) {
  if (Access::is_small_int(x) && Access::is_small_int(y))
    if (const auto small = on_small_ints(op, Access::small_int(x), Access::small_int(y)))
      return Value(*small);
  const BigInt a = big_int(x);
  const BigInt b = big_int(y);
  // Schoolbook arithmetic: the product of the lengths in 32-bit limbs.
  pay(heap, (a.bits() / 32 + 1) * (b.bits() / 32 + 1) / 32 + 1);
  switch (op) {
    case BinaryOp::kAdd:
      return make_int(heap, a + b);
    case BinaryOp::kSubtract:
      return make_int(heap, a - b);
    case BinaryOp::kMultiply:
      if (a.bits() + b.bits() > kMaxIntBits + 1)
        fault("int too large (limit {} bits)", kMaxIntBits);
      return make_int(heap, a * b);
    case BinaryOp::kFloorDivide:
      if (b.is_zero()) fault("floored division by zero");
      return make_int(heap, divide(a, b).quotient);
    case BinaryOp::kModulo:
      if (b.is_zero()) fault("integer modulo by zero");
      return make_int(heap, divide(a, b).rest);
    case BinaryOp::kAnd:
      return make_int(heap, a & b);
    case BinaryOp::kOr:
      return make_int(heap, a | b);
    default:
      return make_int(heap, a ^ b);
  }
}

Value shift(Heap& heap, BinaryOp op, Value x, Value by) {
  const std::int64_t count = as_int32(by);
  if (count < 0) fault("negative shift count: {}", count);
  const BigInt value = big_int(x);
  pay(heap, value.bits() / 256 + 1);
  if (op == BinaryOp::kShiftRight) return make_int(heap, value >> static_cast<std::size_t>(count));
  if (count >= 512) fault("shift count too large: {}", count);
  return make_int(heap, value << static_cast<std::size_t>(count));
}

/// The number of repetitions of a sequence of `size` elements of `each` bytes.
std::size_t repeat_count(Heap& heap, Value count, std::size_t size, std::size_t each) {
  if (size == 0) return 0;
  const auto small = count.as_int();
  if (!small || *small > INT32_MAX || *small < INT32_MIN)
    fault("repeat count {} too large", count.repr());
  if (*small < 1) return 0;
  const auto times = static_cast<std::size_t>(*small);
  constexpr std::size_t kMost = std::size_t{1} << 30;
  if (times > kMost / size) fault("excessive repeat ({} * {} elements)", size, times);
  require(heap, times * size * each);
  pay(heap, times * size * each / 64);
  return times;
}

std::optional<Value> repeat(Heap& heap, Value sequence, Value count) {
  if (!is_int(count)) return std::nullopt;
  switch (sequence.type()) {
    case Type::kString:
    case Type::kBytes: {
      const std::string_view unit = sequence.text();
      std::string text;
      const std::size_t times = repeat_count(heap, count, unit.size(), 1);
      text.reserve(times * unit.size());
      for (std::size_t i = 0; i < times; ++i) text += unit;
      return sequence.is(Type::kString) ? heap.string(text) : heap.bytes(text);
    }
    case Type::kList:
    case Type::kTuple: {
      const std::span<const Value> unit = sequence.items();
      std::vector<Value> items;
      const std::size_t times = repeat_count(heap, count, unit.size(), sizeof(Value));
      items.reserve(times * unit.size());
      for (std::size_t i = 0; i < times; ++i) items.insert(items.end(), unit.begin(), unit.end());
      return sequence.is(Type::kList) ? heap.list(std::move(items)) : heap.tuple(std::move(items));
    }
    default:
      return std::nullopt;
  }
}

std::vector<Value> joined(Heap& heap, std::span<const Value> x, std::span<const Value> y) {
  require(heap, (x.size() + y.size()) * sizeof(Value));
  pay(heap, (x.size() + y.size()) / 8);
  std::vector<Value> items;
  items.reserve(x.size() + y.size());
  items.insert(items.end(), x.begin(), x.end());
  items.insert(items.end(), y.begin(), y.end());
  return items;
}

std::optional<Value> add_others(Heap& heap, Value x, Value y) {
  if (x.type() != y.type()) return std::nullopt;
  switch (x.type()) {
    case Type::kString: {
      const std::string_view a = x.text();
      const std::string_view b = y.text();
      require(heap, a.size() + b.size());
      pay_bytes(heap, a.size() + b.size());
      std::string text;
      text.reserve(a.size() + b.size());
      text += a;
      text += b;
      return heap.string(text);
    }
    case Type::kList:
      return heap.list(joined(heap, x.items(), y.items()));
    case Type::kTuple:
      return heap.tuple(joined(heap, x.items(), y.items()));
    case Type::kStruct: {
      if (as_record(x)->name != as_record(y)->name) return std::nullopt;
      auto fields = as_record(y)->fields;
      for (const auto& field : as_record(x)->fields)
        if (as_record(y)->find(field.first) == nullptr) fields.push_back(field);
      return heap.structure(std::move(fields));
    }
    default:
      return std::nullopt;
  }
}

bool is_in(Heap& heap, Value x, Value y) {
  switch (y.type()) {
    case Type::kList:
    case Type::kTuple:
      for (const Value item : y.items())
        if (equal(heap, item, x)) return true;
      return false;
    case Type::kDict:  // an unhashable value is in no dict
      return is_hashable(x) && as_dict(y)->table.find(heap, x) != nullptr;
    case Type::kSet:
      return as_set(y)->table.find(heap, x) != nullptr;
    case Type::kString:
      if (!x.is(Type::kString))
        fault("'in <string>' requires string as left operand, not {}", x.type_name());
      pay_bytes(heap, y.text().size());
      return y.text().find(x.text()) != std::string_view::npos;
    case Type::kBytes:
      pay_bytes(heap, y.text().size());
      if (x.is(Type::kBytes)) return y.text().find(x.text()) != std::string_view::npos;
      if (!is_int(x))
        fault("'in bytes' requires bytes or int as left operand, not {}", x.type_name());
      if (const auto byte = x.as_int(); byte && *byte >= 0 && *byte < 256)
        return y.text().find(static_cast<char>(*byte)) != std::string_view::npos;
      fault("int in bytes: {} out of range (want value in unsigned 8-bit range)", x.repr());
    case Type::kRange: {
      if (!to_float(x))
        fault("'in <range>' requires integer as left operand, not {}", x.type_name());
      const auto whole = number_to_int(heap, x).as_int();
      return whole && range_contains(*as_range(y), *whole);
    }
    default:
      unknown(BinaryOp::kIn, x, y);
  }
}

/// & | ^ - of sets, | of dicts.
std::optional<Value> on_tables(Heap& heap, BinaryOp op, Value x, Value y) {
  if (x.type() != y.type()) return std::nullopt;
  if (x.is(Type::kDict) && op == BinaryOp::kOr) {
    const Value both = heap.dict();
    for (const Value one : {x, y})
      for (const Table::Entry& entry : as_dict(one)->table.entries())
        if (!Access::is_unset(entry.key)) as_dict(both)->table.set(heap, entry.key, entry.value);
    return both;
  }
  if (!x.is(Type::kSet)) return std::nullopt;
  switch (op) {
    case BinaryOp::kOr:
      return set_union(heap, x, y);
    case BinaryOp::kAnd:
      return set_intersection(heap, x, y);
    case BinaryOp::kXor:
      return set_symmetric_difference(heap, x, y);
    case BinaryOp::kSubtract:
      return set_difference(heap, x, y);
    default:
      return std::nullopt;
  }
}

std::optional<Value> arithmetic(Heap& heap, BinaryOp op, Value x, Value y) {
  const bool ints = is_int(x) && is_int(y);
  const bool bits = op == BinaryOp::kAnd || op == BinaryOp::kOr || op == BinaryOp::kXor;
  if (ints && op != BinaryOp::kDivide) return on_ints(heap, op, x, y);
  const bool numbers = to_float(x) && to_float(y);
  if (!numbers || bits) return std::nullopt;
  return on_floats(op, finite_float(x), finite_float(y));
}

}  // namespace

Value binary(Heap& heap, BinaryOp op, Value x, Value y) {
  std::optional<Value> result;
  switch (op) {
    case BinaryOp::kEqual:
    case BinaryOp::kNotEqual:
    case BinaryOp::kLess:
    case BinaryOp::kLessEqual:
    case BinaryOp::kGreater:
    case BinaryOp::kGreaterEqual:
      return Value(compare(heap, op, x, y));
    case BinaryOp::kIn:
      return Value(is_in(heap, x, y));
    case BinaryOp::kNotIn:
      return Value(!is_in(heap, x, y));
    case BinaryOp::kShiftLeft:
    case BinaryOp::kShiftRight:
      if (is_int(x)) return shift(heap, op, x, y);
      unknown(op, x, y);
    case BinaryOp::kModulo:
      if (x.is(Type::kString)) return interpolate(heap, x.text(), y);
      break;
    case BinaryOp::kAdd:
      result = add_others(heap, x, y);
      break;
    case BinaryOp::kMultiply:
      result = repeat(heap, x, y);
      if (!result) result = repeat(heap, y, x);
      break;
    default:
      result = on_tables(heap, op, x, y);
      break;
  }
  if (!result) result = arithmetic(heap, op, x, y);
  if (!result) unknown(op, x, y);
  return *result;
}

Value add_in_place(Heap& heap, Value x, Value y) {
  ListObject* list = as_list(x);
  if (list == nullptr || !Iterator::over(y)) return binary(heap, BinaryOp::kAdd, x, y);
  check_mutable(*list, "apply += to");
  extend(heap, *list, y);
  return x;
}

Value or_in_place(Heap& heap, Value x, Value y) {
  TableObject* dict = as_dict(x);
  if (dict == nullptr || as_dict(y) == nullptr) return binary(heap, BinaryOp::kOr, x, y);
  check_mutable(*dict, "apply |= to");
  if (as_dict(y) == dict) return x;
  for (const Table::Entry& entry : as_dict(y)->table.entries())
    if (!Access::is_unset(entry.key)) dict->table.set(heap, entry.key, entry.value);
  return x;
}

Value unary(Heap& heap, UnaryOp op, Value x) {
  if (is_int(x)) {
    switch (op) {
      case UnaryOp::kPlus:
        return x;
      case UnaryOp::kMinus:
        return on_ints(heap, BinaryOp::kSubtract, Value(std::int64_t{0}), x);
      case UnaryOp::kInvert:
        return on_ints(heap, BinaryOp::kSubtract, Value(std::int64_t{-1}), x);
    }
  }
  if (x.is(Type::kFloat) && op != UnaryOp::kInvert)
    return op == UnaryOp::kPlus ? x : Value(-x.as_float());
  constexpr std::string_view kUnarySymbols[] = {"+", "-", "~"};
  fault("unknown unary op: {} {}", kUnarySymbols[static_cast<std::size_t>(op)], x.type_name());
}

bool is_int(Value value) { return value.is(Type::kInt); }

BigInt big_int(Value value) {
  return Access::is_small_int(value) ? BigInt(Access::small_int(value)) : as_big_int(value)->value;
}

Value make_int(std::int64_t value) { return Value(value); }

Value make_int(Heap& heap, const BigInt& value) {
  if (const auto small = value.to_int64()) return Value(*small);
  if (value.bits() > kMaxIntBits) fault("int too large (limit {} bits)", kMaxIntBits);
  BigIntObject* object = Access::make<BigIntObject>(heap, value);
  Access::charge(heap, value.bits() / 8);
  return Access::value(object);
}

void check_digits(std::size_t digits, int base) {
  // A digit of base 36 has less than 5.2 bits; leading zeros do not matter at this size.
  const double bits = static_cast<double>(digits) * std::log2(base);
  if (bits > static_cast<double>(kMaxIntBits) + 64)
    fault("int too large (limit {} bits)", kMaxIntBits);
}

Value number_to_int(Heap& heap, Value value, std::string_view what) {
  if (is_int(value)) return value;
  if (!value.is(Type::kFloat)) fault("{}cannot convert {} to int", what, value.type_name());
  const double number = value.as_float();
  if (std::isinf(number)) fault("{}cannot convert float infinity to integer", what);
  if (std::isnan(number)) fault("{}cannot convert float NaN to integer", what);
  return make_int(heap, BigInt::from_double(number));
}

std::optional<double> to_float(Value value) {
  if (value.is(Type::kFloat)) return value.as_float();
  if (!is_int(value)) return std::nullopt;
  return Access::is_small_int(value) ? static_cast<double>(Access::small_int(value))
                                     : as_big_int(value)->value.to_double();
}

double finite_float(Value value) {
  const double number = *to_float(value);
  if (is_int(value) && std::isinf(number)) fault("int too large to convert to float");
  return number;
}

}  // namespace portico::starlark::internal
