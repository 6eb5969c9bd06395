#include "cel/internal/arithmetic.h"

#include <limits>

#include "cel/time.h"

namespace portico::cel::internal {
namespace {

const char* name_of(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return "_+_";
    case Operator::kSubtract:
      return "_-_";
    case Operator::kMultiply:
      return "_*_";
    case Operator::kDivide:
      return "_/_";
    case Operator::kModulo:
      return "_%_";
    case Operator::kEqual:
      return "_==_";
    case Operator::kNotEqual:
      return "_!=_";
    case Operator::kLess:
      return "_<_";
    case Operator::kLessEqual:
      return "_<=_";
    case Operator::kGreater:
      return "_>_";
    case Operator::kGreaterEqual:
      return "_>=_";
    case Operator::kIn:
      return "@in";
  }
  return "";
}

Value no_overload(Operator op, const Value& a, const Value& b) {
  const Value args[] = {a, b};
  return no_such_overload(name_of(op), args);
}

template <class T>
Value whole_numbers(Operator op, T a, T b) {
  const char* overflow = std::is_signed_v<T> ? "integer overflow" : "unsigned integer overflow";
  T out{};
  switch (op) {
    case Operator::kAdd:
      return __builtin_add_overflow(a, b, &out) ? Value::error(overflow) : Value(out);
    case Operator::kSubtract:
      return __builtin_sub_overflow(a, b, &out) ? Value::error(overflow) : Value(out);
    case Operator::kMultiply:
      return __builtin_mul_overflow(a, b, &out) ? Value::error(overflow) : Value(out);
    default:
      break;
  }
  const bool divide = op == Operator::kDivide;
  if (b == 0) return Value::error(divide ? "division by zero" : "modulus by zero");
  if (std::is_signed_v<T> && b == static_cast<T>(-1) && a == std::numeric_limits<T>::min())
    return Value::error(overflow);
  return Value(static_cast<T>(divide ? a / b : a % b));
}

Value doubles(Operator op, const Value& left, const Value& right) {
  const double a = left.as_double();
  const double b = right.as_double();
  switch (op) {
    case Operator::kAdd:
      return Value(a + b);
    case Operator::kSubtract:
      return Value(a - b);
    case Operator::kMultiply:
      return Value(a * b);
    case Operator::kDivide:
      return Value(a / b);
    default:
      return no_overload(op, left, right);
  }
}

// Concatenates both lists.
Value joined(const List& a, const List& b, Budget& budget) {
  if (!budget.spend_for(a.size() + b.size())) return budget.exhausted();
  std::vector<Value> items;
  items.reserve(a.size() + b.size());
  for (const List* list : {&a, &b})
    for (std::size_t i = 0; i < list->size(); ++i) items.push_back(list->at(i));
  return Value::list(std::move(items));
}

Value plus_or_minus_times(Operator op, const Value& a, const Value& b) {
  const bool add = op == Operator::kAdd;
  if (!add && op != Operator::kSubtract) return no_overload(op, a, b);
  const auto both = [&](Kind x, Kind y) { return a.is(x) && b.is(y); };
  if (both(Kind::kDuration, Kind::kDuration))
    return add_durations(a.as_duration(), b.as_duration(), add ? 1 : -1);
  if (both(Kind::kTimestamp, Kind::kDuration))
    return add_to_time(a.as_timestamp(), b.as_duration(), add ? 1 : -1);
  if (add && both(Kind::kDuration, Kind::kTimestamp))
    return add_to_time(b.as_timestamp(), a.as_duration(), 1);
  if (!add && both(Kind::kTimestamp, Kind::kTimestamp))
    return time_between(b.as_timestamp(), a.as_timestamp());
  return no_overload(op, a, b);
}

Value arithmetic(Operator op, const Value& a, const Value& b, Budget& budget) {
  if (a.kind() == b.kind()) {
    switch (a.kind()) {
      case Kind::kInt:
        return whole_numbers(op, a.as_int(), b.as_int());
      case Kind::kUint:
        return whole_numbers(op, a.as_uint(), b.as_uint());
      case Kind::kDouble:
        return doubles(op, a, b);
      case Kind::kString:
      case Kind::kBytes:
        if (op != Operator::kAdd) return no_overload(op, a, b);
        if (!budget.spend_for(a.text().size() + b.text().size())) return budget.exhausted();
        return Value::concat(a.kind(), a.text(), b.text());
      case Kind::kList:
        if (op != Operator::kAdd) return no_overload(op, a, b);
        return joined(a.as_list(), b.as_list(), budget);
      default:
        break;
    }
  }
  return plus_or_minus_times(op, a, b);
}

Value contains(const Value& a, const Value& b, Budget& budget) {
  if (b.is(Kind::kMap)) return Value(b.as_map().find(a).has_value());
  if (!b.is(Kind::kList)) return no_overload(Operator::kIn, a, b);
  const List& list = b.as_list();
  if (!budget.spend_for(list.size())) return budget.exhausted();
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.at(i) == a) return Value(true);
  return Value(false);
}

Value ordered(Operator op, const Value& a, const Value& b) {
  const std::optional<int> order = compare(a, b);
  if (!order) {
    // NaN is unordered, so every comparison with it is false.
    return a.is_number() && b.is_number() ? Value(false) : no_overload(op, a, b);
  }
  switch (op) {
    case Operator::kLess:
      return Value(*order < 0);
    case Operator::kLessEqual:
      return Value(*order <= 0);
    case Operator::kGreater:
      return Value(*order > 0);
    default:
      return Value(*order >= 0);
  }
}

// A comparison reads every byte and element, at any depth.
bool charge_comparison(const Value& a, const Value& b, Budget& budget) {
  const bool large = a.kind() == b.kind() && a.kind() >= Kind::kString && !a.is(Kind::kTimestamp) &&
                     !a.is(Kind::kDuration);
  return !large || budget.spend_for(std::min(size_of(a), size_of(b)));
}

}  // namespace

Value apply_operator(Operator op, const Value& left, const Value& right, Budget& budget) {
  switch (op) {
    case Operator::kEqual:
    case Operator::kNotEqual:
      if (!charge_comparison(left, right, budget)) return budget.exhausted();
      return Value((left == right) == (op == Operator::kEqual));
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
      return ordered(op, left, right);
    case Operator::kIn:
      return contains(left, right, budget);
    default:
      return arithmetic(op, left, right, budget);
  }
}

Value negate(const Value& value) {
  if (value.is(Kind::kDouble)) return Value(-value.as_double());
  if (!value.is(Kind::kInt)) return no_such_overload("-_", Args(&value, 1));
  if (value.as_int() == std::numeric_limits<std::int64_t>::min())
    return Value::error("integer overflow");
  return Value(-value.as_int());
}

}  // namespace portico::cel::internal
