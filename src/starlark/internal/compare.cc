// Hashes and comparisons.
#include <algorithm>
#include <cmath>

#include "starlark/internal/eval_error.h"
#include "starlark/internal/operators.h"
#include "starlark_syntax/number.h"

namespace portico::starlark::internal {

namespace {

std::uint64_t mix(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdU;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53U;
  return value ^ value >> 33;
}

std::uint64_t hash_int(const BigInt& value) {
  const auto small = value.to_int64();
  return small ? mix(static_cast<std::uint64_t>(*small)) : mix(value.hash());
}

std::uint64_t hash_float(double value) {
  if (!std::isfinite(value)) return mix(std::isnan(value) ? 1 : value > 0 ? 2 : 3);
  // Cutting off the fraction only makes more keys share a hash.
  return hash_int(BigInt::from_double(value));
}

std::uint64_t hash_deep(Heap& heap, Value value, int depth) {
  if (depth == 0) fault("cannot hash a value nested deeper than {}", kHashDepth);
  switch (value.type()) {
    case Type::kNone:
      return mix(11);
    case Type::kBool:
      return mix(value.as_bool() ? 13 : 12);
    case Type::kInt:
      return Access::is_small_int(value) ? mix(static_cast<std::uint64_t>(Access::small_int(value)))
                                         : hash_int(as_big_int(value)->value);
    case Type::kFloat:
      return hash_float(value.as_float());
    case Type::kString:
    case Type::kBytes: {
      auto* text = static_cast<StringObject*>(Access::object(value));
      if (text->hash == 0) {
        pay_bytes(heap, text->text.size());
        text->hash = hash_text(text->text);
      }
      return text->hash;
    }
    case Type::kTuple: {
      std::uint64_t hash = 17;
      for (const Value item : value.items()) {
        pay(heap, 1);
        hash = mix(hash * 31 + hash_deep(heap, item, depth - 1));
      }
      return hash;
    }
    case Type::kStruct: {
      std::uint64_t hash = 19;
      for (const auto& [name, field] : as_record(value)->fields)
        hash = mix(hash * 31 + hash_text(name) + hash_deep(heap, field, depth - 1));
      return hash;
    }
    case Type::kFunction:
    case Type::kBuiltin:
      return mix(value.identity());
    case Type::kModule:
    case Type::kList:
    case Type::kDict:
    case Type::kSet:
      fault("unhashable type: {}", value.type_name());
    case Type::kRange:
    case Type::kView:
      break;
  }
  fault("unhashable: {}", value.type_name());
}

bool holds(BinaryOp op, std::weak_ordering order) {
  switch (op) {
    case BinaryOp::kEqual:
      return order == 0;
    case BinaryOp::kNotEqual:
      return order != 0;
    case BinaryOp::kLess:
      return order < 0;
    case BinaryOp::kLessEqual:
      return order <= 0;
    case BinaryOp::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

[[noreturn]] void not_implemented(BinaryOp op, Value x, Value y) {
  fault("{} {} {} not implemented", x.type_name(), symbol(op), y.type_name());
}

/// For types without an order: `same` decides == and !=.
bool only_equality(BinaryOp op, Value x, Value y, bool same) {
  if (op == BinaryOp::kEqual) return same;
  if (op == BinaryOp::kNotEqual) return !same;
  not_implemented(op, x, y);
}

bool compare_items(Heap& heap, BinaryOp op, std::span<const Value> x, std::span<const Value> y,
                   int depth) {
  const bool equality = op == BinaryOp::kEqual || op == BinaryOp::kNotEqual;
  if (equality && x.size() != y.size()) return op == BinaryOp::kNotEqual;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (compare(heap, BinaryOp::kEqual, x[i], y[i], depth - 1)) continue;
    return equality ? op == BinaryOp::kNotEqual : compare(heap, op, x[i], y[i], depth - 1);
  }
  return holds(op, x.size() <=> y.size());
}

bool dicts_equal(Heap& heap, Table& x, Table& y, int depth) {
  if (x.size() != y.size()) return false;
  for (const Table::Entry& entry : x.entries()) {
    if (Access::is_unset(entry.key)) continue;
    pay(heap, 1);
    const Value* other = y.find(heap, entry.key);
    if (other == nullptr || !compare(heap, BinaryOp::kEqual, entry.value, *other, depth - 1))
      return false;
  }
  return true;
}

bool is_subset(Heap& heap, Table& x, Table& y) {
  for (const Table::Entry& entry : x.entries()) {
    if (Access::is_unset(entry.key)) continue;
    pay(heap, 1);
    if (y.find(heap, entry.key) == nullptr) return false;
  }
  return true;
}

bool compare_sets(Heap& heap, BinaryOp op, Table& x, Table& y) {
  switch (op) {
    case BinaryOp::kEqual:
      return x.size() == y.size() && is_subset(heap, x, y);
    case BinaryOp::kNotEqual:
      return x.size() != y.size() || !is_subset(heap, x, y);
    case BinaryOp::kLess:
      return x.size() < y.size() && is_subset(heap, x, y);
    case BinaryOp::kLessEqual:
      return x.size() <= y.size() && is_subset(heap, x, y);
    case BinaryOp::kGreater:
      return x.size() > y.size() && is_subset(heap, y, x);
    default:
      return x.size() >= y.size() && is_subset(heap, y, x);
  }
}

bool ranges_equal(const RangeObject& x, const RangeObject& y) {
  if (x.size != y.size) return false;
  if (x.size == 0) return true;
  return x.start == y.start && (x.size == 1 || x.step == y.step);
}

bool records_equal(Heap& heap, const RecordObject& x, const RecordObject& y, int depth) {
  if (x.fields.size() != y.fields.size() || x.name != y.name) return false;
  for (std::size_t i = 0; i < x.fields.size(); ++i)
    if (x.fields[i].first != y.fields[i].first ||
        !compare(heap, BinaryOp::kEqual, x.fields[i].second, y.fields[i].second, depth - 1))
      return false;
  return true;
}

std::weak_ordering compare_numbers(Value x, Value y) {
  if (Access::is_small_int(x) && Access::is_small_int(y))
    return Access::small_int(x) <=> Access::small_int(y);
  if (!is_int(x))
    return is_int(y) ? 0 <=> compare_numbers(y, x) : order(x.as_float(), y.as_float());
  if (is_int(y)) return big_int(x) <=> big_int(y);
  return Access::is_small_int(x) ? order(Access::small_int(x), y.as_float())
                                 : order(as_big_int(x)->value, y.as_float());
}

bool is_number(Value value) { return value.is(Type::kInt) || value.is(Type::kFloat); }

}  // namespace

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  hash = mix(hash);
  return hash == 0 ? 1 : hash;
}

std::uint64_t hash_of(Heap& heap, Value value) { return hash_deep(heap, value, kHashDepth); }

bool is_hashable(Value value, int depth) {
  if (depth == 0) return false;
  const auto inner = [depth](Value one) { return is_hashable(one, depth - 1); };
  switch (value.type()) {
    case Type::kList:
    case Type::kDict:
    case Type::kSet:
    case Type::kRange:
    case Type::kView:
    case Type::kModule:
      return false;
    case Type::kTuple: {
      const auto items = value.items();
      return std::all_of(items.begin(), items.end(), inner);
    }
    case Type::kStruct: {
      const auto& fields = as_record(value)->fields;
      return std::all_of(fields.begin(), fields.end(),
                         [&](const auto& field) { return inner(field.second); });
    }
    default:
      return true;
  }
}

bool compare(Heap& heap, BinaryOp op, Value x, Value y, int depth) {
  if (depth == 0) fault("comparison exceeded maximum recursion depth");
  pay(heap, 1);
  if (is_number(x) && is_number(y)) return holds(op, compare_numbers(x, y));
  if (x.type() != y.type()) return only_equality(op, x, y, false);
  switch (x.type()) {
    case Type::kBool:
      return holds(op, static_cast<int>(x.as_bool()) <=> static_cast<int>(y.as_bool()));
    case Type::kString:
    case Type::kBytes: {
      const std::string_view a = x.text();
      const std::string_view b = y.text();
      pay_bytes(heap, std::min(a.size(), b.size()));
      return holds(op, a <=> b);
    }
    case Type::kList:
    case Type::kTuple:
      return compare_items(heap, op, x.items(), y.items(), depth);
    case Type::kDict:
      if (op != BinaryOp::kEqual && op != BinaryOp::kNotEqual) not_implemented(op, x, y);
      return only_equality(op, x, y,
                           dicts_equal(heap, as_dict(x)->table, as_dict(y)->table, depth));
    case Type::kSet:
      return compare_sets(heap, op, as_set(x)->table, as_set(y)->table);
    case Type::kRange:
      return only_equality(op, x, y, ranges_equal(*as_range(x), *as_range(y)));
    case Type::kStruct:
      return only_equality(op, x, y, records_equal(heap, *as_record(x), *as_record(y), depth));
    default:
      return only_equality(op, x, y, Access::identical(x, y));
  }
}

}  // namespace portico::starlark::internal
