#include "starlark/internal/containers.h"

#include "starlark/internal/arguments.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/iterate.h"
#include "starlark/internal/operators.h"

namespace portico::starlark::internal {

namespace {

std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

void check(bool frozen, std::uint32_t iterations, std::string_view verb, std::string_view what) {
  if (frozen) fault("cannot {} frozen {}", verb, what);
  if (iterations > 0) fault("cannot {} {} during iteration", verb, what);
}

Value copy_of(Heap& heap, Value set) {
  auto* copy = Access::make<TableObject>(heap, ObjectKind::kSet);
  for (const Table::Entry& entry : as_set(set)->table.entries())
    if (!Access::is_unset(entry.key)) copy->table.set(heap, entry.key, Value());
  return Access::value(copy);
}

}  // namespace

void check_mutable(const ListObject& list, std::string_view verb) {
  check(list.frozen, list.iterations, verb, "list");
}

void check_mutable(const TableObject& table, std::string_view verb) {
  check(table.frozen, table.iterations, verb, "hash table");
}

void push(Heap& heap, ListObject& list, Value item) {
  if (list.items.size() == list.items.capacity()) {
    const std::size_t more = std::max<std::size_t>(4, list.items.capacity());
    require(heap, more * sizeof(Value));
    Access::charge(heap, more * sizeof(Value));
    list.items.reserve(list.items.size() + more);
  }
  list.items.push_back(item);
}

void extend(Heap& heap, ListObject& list, Value iterable) {
  // A list extended by itself must not grow under its own iterator.
  if (Access::object(iterable) == &list) {
    const std::vector<Value> items = list.items;
    for (const Value item : items) push(heap, list, item);
    return;
  }
  for_each(heap, iterable, [&](Value item) { push(heap, list, item); });
}

std::vector<Value> elements(Heap& heap, Value iterable, std::string_view what) {
  std::vector<Value> items;
  // The list is charged on creation; this stops it before it gets too long to create.
  const bool iterated = for_each(heap, iterable, [&](Value item) {
    if (items.size() % 4096 == 4095) require(heap, items.size() * sizeof(Value));
    items.push_back(item);
  });
  if (!iterated) fault("{}got {}, want iterable", what, iterable.type_name());
  return items;
}

Value make_set(Heap& heap, Value iterable) {
  auto* set = Access::make<TableObject>(heap, ObjectKind::kSet);
  for_each(heap, iterable, [&](Value item) { set->table.set(heap, item, Value()); });
  return Access::value(set);
}

Value set_union(Heap& heap, Value set, Value other) {
  const Value result = copy_of(heap, set);
  for_each(heap, other, [&](Value item) { as_set(result)->table.set(heap, item, Value()); });
  return result;
}

Value set_intersection(Heap& heap, Value set, Value other) {
  auto* result = Access::make<TableObject>(heap, ObjectKind::kSet);
  for_each(heap, other, [&](Value item) {
    if (as_set(set)->table.find(heap, item) != nullptr) result->table.set(heap, item, Value());
  });
  return Access::value(result);
}

Value set_difference(Heap& heap, Value set, Value other) {
  const Value result = copy_of(heap, set);
  for_each(heap, other, [&](Value item) { as_set(result)->table.remove(heap, item); });
  return result;
}

Value set_symmetric_difference(Heap& heap, Value set, Value other) {
  const Value result = copy_of(heap, set);
  for_each(heap, other, [&](Value item) {
    if (!as_set(result)->table.remove(heap, item)) as_set(result)->table.set(heap, item, Value());
  });
  return result;
}

void update_dict(Heap& heap, const Call& call, TableObject& dict) {
  const auto set = [&](Value key, Value value) {
    named_fault(call, [&] {
      check_mutable(dict, "insert into");
      dict.table.set(heap, key, value);
    });
  };
  if (!call.args.empty() && call.args[0].is(Type::kDict)) {
    for (const auto& [key, value] : call.args[0].entries()) {
      pay(heap, 1);
      set(key, value);
    }
  } else if (!call.args.empty()) {
    std::size_t index = 0;
    const bool iterated = for_each(heap, call.args[0], [&](Value pair) {
      const auto size = length(pair);
      if (!Iterator::over(pair))
        fail(call, "dictionary update sequence element #{} is not iterable ({})", index,
             pair.type_name());
      if (!size)
        fail(call, "dictionary update sequence element #{} has unknown length ({})", index,
             pair.type_name());
      if (*size != 2)
        fail(call, "dictionary update sequence element #{} has length {}, want 2", index, *size);
      const std::vector<Value> both = elements(heap, pair);
      set(both[0], both[1]);
      ++index;
    });
    if (!iterated) fail(call, "got {}, want iterable", call.args[0].type_name());
  }
  Table names;
  for (const auto& [key, value] : call.named) {
    if (!names.set(heap, key, Value())) fail(call, "duplicate keyword arg: {}", key.repr());
    set(key, value);
  }
}

Value make_range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step,
                 std::int64_t size) {
  return Access::value(Access::make<RangeObject>(heap, start, stop, step, size));
}

Value make_range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step) {
  std::uint64_t size = 0;
  if (step > 0 && stop > start) size = (bits(stop) - bits(start) - 1) / bits(step) + 1;
  if (step < 0 && start > stop) size = (bits(start) - bits(stop) - 1) / (0 - bits(step)) + 1;
  if (size > INT64_MAX) fault("range: too many elements");
  return make_range(heap, start, stop, step, static_cast<std::int64_t>(size));
}

std::int64_t multiply(std::int64_t x, std::int64_t y) {
  return static_cast<std::int64_t>(bits(x) * bits(y));
}

std::int64_t range_element(const RangeObject& range, std::int64_t place) {
  return static_cast<std::int64_t>(bits(range.start) + bits(multiply(place, range.step)));
}

bool range_contains(const RangeObject& range, std::int64_t value) {
  if (range.size == 0) return false;
  const std::int64_t last = range_element(range, range.size - 1);
  if (range.step > 0)
    return value >= range.start && value <= last &&
           (bits(value) - bits(range.start)) % bits(range.step) == 0;
  return value <= range.start && value >= last &&
         (bits(range.start) - bits(value)) % (0 - bits(range.step)) == 0;
}

}  // namespace portico::starlark::internal
