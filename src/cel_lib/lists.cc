// The lists and sets libraries, and the list functions of Kubernetes.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

const Type kAny = Type::param("T");
const Type kAnyList = Type::list(Type::param("T"));
const TypeKind kOrderedKinds[] = {TypeKind::kInt,    TypeKind::kUint,     TypeKind::kDouble,
                                  TypeKind::kBool,   TypeKind::kDuration, TypeKind::kTimestamp,
                                  TypeKind::kString, TypeKind::kBytes};

Value slice(Args args, Budget&) {
  const std::int64_t start = args[1].as_int();
  const std::int64_t end = args[2].as_int();
  const cel::List& list = args[0].as_list();
  const auto refuse = [&](std::string_view why) {
    return Value::error(fmt::format("cannot slice({}, {}), {}", start, end, why));
  };
  if (start < 0 || end < 0) return refuse("negative indexes not supported");
  if (start > end) return refuse("start index must be less than or equal to end index");
  if (static_cast<std::uint64_t>(end) > list.size())
    return refuse(fmt::format("list is length {}", list.size()));
  std::vector<Value> out;
  for (std::int64_t i = start; i < end; ++i) out.push_back(list.at(static_cast<std::size_t>(i)));
  return Value::list(std::move(out));
}

// False if the budget is used up. Flattens no deeper than lists reasonably nest.
bool flatten_into(const cel::List& list, std::int64_t levels, Budget& budget,
                  std::vector<Value>& out) {
  constexpr std::int64_t kDeepest = 200;
  levels = std::min(levels, kDeepest);
  if (!budget.spend_for(list.size())) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Value item = list.at(i);
    if (!item.is(Kind::kList) || levels == 0) {
      out.push_back(std::move(item));
    } else if (!flatten_into(item.as_list(), levels - 1, budget, out)) {
      return false;
    }
  }
  return true;
}

Value flatten(const Value& list, std::int64_t levels, Budget& budget) {
  if (levels < 0) return Value::error("level must be non-negative");
  std::vector<Value> out;
  if (!flatten_into(list.as_list(), levels, budget, out)) return budget.exhausted();
  return Value::list(std::move(out));
}

// The elements of `list` in the order of `keys`, which must have the same size.
Value sorted_by(const Value& list, const Value& keys, Budget& budget) {
  const std::vector<Value> by = elements(keys);
  if (by.size() != list.as_list().size())
    return Value::error(
        fmt::format("@sortByAssociatedKeys() expected a list of the same size as the associated "
                    "keys list, but got {} and {} elements respectively",
                    list.as_list().size(), by.size()));
  if (by.empty()) return list;
  for (const Value& key : by) {
    if (key.type_name() != by[0].type_name())
      return Value::error("list elements must have the same type");
    if (!cel::compare(key, key) && !key.is(Kind::kDouble))
      return Value::error("list elements must be comparable");
  }
  if (!budget.spend(by.size())) return budget.exhausted();
  std::vector<std::size_t> order(by.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // NaN sorts first, which makes the order a strict weak ordering.
  const auto less = [&by](std::size_t a, std::size_t b) {
    const bool a_ordered = cel::compare(by[a], by[a]).has_value();
    const bool b_ordered = cel::compare(by[b], by[b]).has_value();
    if (!a_ordered || !b_ordered) return !a_ordered && b_ordered;
    return *cel::compare(by[a], by[b]) < 0;
  };
  std::stable_sort(order.begin(), order.end(), less);
  std::vector<Value> out;
  out.reserve(order.size());
  for (const std::size_t i : order) out.push_back(list.as_list().at(i));
  return Value::list(std::move(out));
}

Value distinct(const Value& list, Budget& budget) {
  std::vector<Value> out;
  for (Value& item : elements(list)) {
    if (!budget.spend_for(out.size())) return budget.exhausted();
    if (std::find(out.begin(), out.end(), item) == out.end()) out.push_back(std::move(item));
  }
  return Value::list(std::move(out));
}

Value range(std::int64_t count, Budget& budget) {
  if (count < 0)
    return Value::error(fmt::format("lists.range: size must be non-negative, got {}", count));
  if (!budget.spend_for(static_cast<std::size_t>(count))) return budget.exhausted();
  std::vector<Value> out;
  out.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) out.push_back(of_int(i));
  return Value::list(std::move(out));
}

// list.sortBy(e, key): evaluates the list once and maps it to the keys.
Expr* expand_sort_by(MacroContext& context, const Expr& call) {
  const std::string* variable = cel::loop_variable(context, *call.args[0]);
  if (variable == nullptr) return nullptr;
  const char* input = "@sortBy";
  Expr* keys = context.fold(Fold::kMap, context.ident(input), *variable, "", nullptr, call.args[1]);
  Expr* sort = context.call("@sortByAssociatedKeys", {keys});
  sort->target = context.ident(input);
  return context.bind(input, call.target, sort);
}

bool holds_all(const Value& set, const Value& wanted, Budget& budget) {
  const std::vector<Value> have = elements(set);
  for (const Value& each : elements(wanted)) {
    if (!budget.spend_for(have.size())) return false;
    if (std::find(have.begin(), have.end(), each) == have.end()) return false;
  }
  return true;
}

bool intersects(const Value& a, const Value& b, Budget& budget) {
  const std::vector<Value> have = elements(a);
  for (const Value& each : elements(b)) {
    if (!budget.spend_for(have.size())) return false;
    if (std::find(have.begin(), have.end(), each) != have.end()) return true;
  }
  return false;
}

template <class Test>
void add_set_test(Declarations& to, const std::string& name, Test test) {
  to.global(name, {kAnyList, kAnyList}, kBool, [test](Args args, Budget& budget) {
    const bool result = test(args[0], args[1], budget);
    return budget.over() ? budget.exhausted() : Value(result);
  });
}

Value is_sorted(Args args, Budget&) {
  const std::vector<Value> items = elements(args[0]);
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto order = cel::compare(items[i - 1], items[i]);
    if (!order) return cel::no_such_overload("isSorted", args);
    if (*order > 0) return Value(false);
  }
  return Value(true);
}

// `sign` is 1 for max, -1 for min.
Value extreme(const Value& list, int sign, std::string_view name) {
  const std::vector<Value> items = elements(list);
  if (items.empty()) return Value::error(fmt::format("{} called on empty list", name));
  Value best = items[0];
  for (const Value& item : items) {
    const auto order = cel::compare(item, best);
    if (!order) return cel::no_such_overload(name, Args(&list, 1));
    if (*order * sign > 0) best = item;
  }
  return best;
}

Value sum(const Value& list, const Value& zero) {
  Value total = zero;
  for (const Value& item : elements(list)) {
    if (total.kind() != item.kind()) return cel::no_such_overload("sum", Args(&list, 1));
    std::int64_t whole = 0;
    std::uint64_t natural = 0;
    switch (item.kind()) {
      case Kind::kInt:
        if (__builtin_add_overflow(total.as_int(), item.as_int(), &whole))
          return Value::error("integer overflow");
        total = Value(whole);
        break;
      case Kind::kUint:
        if (__builtin_add_overflow(total.as_uint(), item.as_uint(), &natural))
          return Value::error("unsigned integer overflow");
        total = Value(natural);
        break;
      case Kind::kDouble:
        total = Value(total.as_double() + item.as_double());
        break;
      case Kind::kDuration:
        if (__builtin_add_overflow(total.as_duration(), item.as_duration(), &whole))
          return Value::error("duration overflow");
        total = Value::duration(whole);
        break;
      default:
        return cel::no_such_overload("sum", Args(&list, 1));
    }
  }
  return total;
}

// An empty list of any type sums to 0; a list of dyn starts from the kind of its first element.
Value sum_from(const Value& list, const Value& zero) {
  if (list.as_list().size() == 0) return zero;
  switch (list.as_list().at(0).kind()) {
    case Kind::kUint:
      return sum(list, Value(std::uint64_t{0}));
    case Kind::kDouble:
      return sum(list, Value(0.0));
    case Kind::kDuration:
      return sum(list, Value::duration(0));
    default:
      return sum(list, of_int(0));
  }
}

Value place(const Value& list, const Value& wanted, bool last) {
  const std::vector<Value> items = elements(list);
  std::int64_t found = -1;
  for (std::size_t i = 0; i < items.size() && (last || found < 0); ++i)
    if (items[i] == wanted) found = static_cast<std::int64_t>(i);
  return of_int(found);
}

}  // namespace

Library lists() {
  Declarations to;
  to.member("slice", {kAnyList, kInt, kInt}, kAnyList, slice);
  to.member("flatten", {Type::list(kAnyList)}, kAnyList,
            [](Args args, Budget& budget) { return flatten(args[0], 1, budget); });
  to.member("flatten", {Type::list(Type()), kInt}, Type::list(Type()),
            [](Args args, Budget& budget) { return flatten(args[0], args[1].as_int(), budget); });
  for (const TypeKind kind : kOrderedKinds)
    to.member("sort", {Type::list(kind)}, Type::list(kind),
              [](Args args, Budget& budget) { return sorted_by(args[0], args[0], budget); });
  for (const TypeKind kind : kOrderedKinds)
    to.member("@sortByAssociatedKeys", {kAnyList, Type::list(kind)}, kAnyList,
              [](Args args, Budget& budget) { return sorted_by(args[0], args[1], budget); });
  to.global("lists.range", {kInt}, Type::list(kInt),
            [](Args args, Budget& budget) { return range(args[0].as_int(), budget); });
  to.member("reverse", {kAnyList}, kAnyList, [](Args args, Budget&) {
    std::vector<Value> items = elements(args[0]);
    std::reverse(items.begin(), items.end());
    return Value::list(std::move(items));
  });
  to.member("distinct", {kAnyList}, kAnyList,
            [](Args args, Budget& budget) { return distinct(args[0], budget); });
  Library out;
  out.name = "lists";
  out.functions = to.take();
  out.macros = {{"sortBy", 2, true, expand_sort_by}};
  return out;
}

Library sets() {
  Declarations to;
  add_set_test(to, "sets.contains", holds_all);
  add_set_test(to, "sets.equivalent", [](const Value& a, const Value& b, Budget& budget) {
    return holds_all(a, b, budget) && holds_all(b, a, budget);
  });
  add_set_test(to, "sets.intersects", intersects);
  Library out;
  out.name = "sets";
  out.functions = to.take();
  return out;
}

Library kubernetes::lists() {
  Declarations to;
  const std::pair<TypeKind, Value> zeros[] = {{TypeKind::kInt, of_int(0)},
                                              {TypeKind::kUint, Value(std::uint64_t{0})},
                                              {TypeKind::kDouble, Value(0.0)},
                                              {TypeKind::kDuration, Value::duration(0)}};
  for (const TypeKind kind : kOrderedKinds)
    to.member("isSorted", {Type::list(kind)}, kBool, is_sorted);
  for (const auto& [kind, zero] : zeros)
    to.member("sum", {Type::list(kind)}, kind,
              [zero = zero](Args args, Budget&) { return sum_from(args[0], zero); });
  for (const TypeKind kind : kOrderedKinds)
    to.member("max", {Type::list(kind)}, kind,
              [](Args args, Budget&) { return extreme(args[0], 1, "max"); });
  for (const TypeKind kind : kOrderedKinds)
    to.member("min", {Type::list(kind)}, kind,
              [](Args args, Budget&) { return extreme(args[0], -1, "min"); });
  to.member("indexOf", {kAnyList, kAny}, kInt,
            [](Args args, Budget&) { return place(args[0], args[1], false); });
  to.member("lastIndexOf", {kAnyList, kAny}, kInt,
            [](Args args, Budget&) { return place(args[0], args[1], true); });
  Library out;
  out.name = "k8s.lists";
  out.functions = to.take();
  return out;
}

}  // namespace portico::cel_lib
