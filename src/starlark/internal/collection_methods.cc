// The methods of lists, dicts and sets.
#include "starlark/internal/arguments.h"
#include "starlark/internal/containers.h"
#include "starlark/internal/iterate.h"
#include "starlark/internal/machine.h"
#include "starlark/internal/methods.h"
#include "starlark/internal/operators.h"

namespace portico::starlark::internal {

namespace {

// Lists.

void change(const Call& call, const ListObject& list, std::string_view verb) {
  named_fault(call, [&] { check_mutable(list, verb); });
}

Value list_append(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 1);
  change(call, *as_list(receiver), "append to");
  push(machine.heap(), *as_list(receiver), args[0]);
  return {};
}

Value list_clear(Machine& /*machine*/, Call& call, Value receiver) {
  const Arguments args(call, 0, 0);
  change(call, *as_list(receiver), "clear");
  as_list(receiver)->items.clear();
  return {};
}

Value list_extend(Machine& machine, Call& call, Value receiver) {
  const Value more = Arguments(call, 1, 1).iterable(0);
  change(call, *as_list(receiver), "extend");
  extend(machine.heap(), *as_list(receiver), more);
  return {};
}

Value list_index(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 3);
  const std::vector<Value>& items = as_list(receiver)->items;
  return named_fault(call, [&]() -> Value {
    const Bounds part = bounds(args[1], args[2], static_cast<std::int64_t>(items.size()));
    for (std::int64_t i = part.start; i < part.end; ++i)
      if (equal(machine.heap(), items[static_cast<std::size_t>(i)], args[0])) return Value(i);
    fault("value not in list");
  });
}

Value list_insert(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 2, 2);
  ListObject& list = *as_list(receiver);
  std::int64_t index = args.integer(0);
  change(call, list, "insert into");
  const auto size = static_cast<std::int64_t>(list.items.size());
  if (index < 0) index = std::max<std::int64_t>(index + size, 0);
  push(machine.heap(), list, args[1]);
  if (index >= size) return {};
  pay(machine.heap(), static_cast<std::uint64_t>(size - index) / 16);
  std::rotate(list.items.begin() + index, list.items.end() - 1, list.items.end());
  return {};
}

Value list_pop(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 0, 1);
  ListObject& list = *as_list(receiver);
  const auto size = static_cast<std::int64_t>(list.items.size());
  const std::int64_t index = args.integer(0, -1);
  const std::int64_t place = index < 0 ? index + size : index;
  if (place < 0 || place >= size) {
    if (size == 0) fail(call, "index {} out of range: empty list", index);
    fail(call, "list index {} out of range [{}:{}]", index, -size, size - 1);
  }
  change(call, list, "pop from");
  pay(machine.heap(), static_cast<std::uint64_t>(size - place) / 16);
  const Value item = list.items[static_cast<std::size_t>(place)];
  list.items.erase(list.items.begin() + place);
  return item;
}

Value list_remove(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 1);
  ListObject& list = *as_list(receiver);
  change(call, list, "remove from");
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const bool found =
        named_fault(call, [&] { return equal(machine.heap(), list.items[i], args[0]); });
    if (!found) continue;
    list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(i));
    return {};
  }
  fail(call, "element not found");
}

// Dicts. Messages call them hash tables.

void change(const Call& call, const TableObject& table, std::string_view verb) {
  named_fault(call, [&] { check_mutable(table, verb); });
}

Value* find(Machine& machine, const Call& call, TableObject& table, Value key) {
  return named_fault(call, [&] { return table.table.find(machine.heap(), key); });
}

std::optional<Value> remove(Machine& machine, const Call& call, TableObject& table, Value key) {
  change(call, table, "delete from");
  return named_fault(call, [&] { return table.table.remove(machine.heap(), key); });
}

Value dict_clear(Machine& /*machine*/, Call& call, Value receiver) {
  const Arguments args(call, 0, 0);
  check_mutable(*as_dict(receiver), "clear");
  as_dict(receiver)->table.clear();
  return {};
}

Value dict_get(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 2);
  const Value* value = find(machine, call, *as_dict(receiver), args[0]);
  return value != nullptr ? *value : args[1];
}

/// A list of the parts of each entry that `choose` selects.
template <class Choose>
Value listed(Machine& machine, const Call& call, Value dict, Choose choose) {
  const Arguments args(call, 0, 0);
  std::vector<Value> items;
  pay(machine.heap(), as_dict(dict)->table.size() / 4);
  require(machine.heap(), as_dict(dict)->table.size() * sizeof(Value));
  for (const Table::Entry& entry : as_dict(dict)->table.entries())
    if (!Access::is_unset(entry.key)) items.push_back(choose(entry));
  return machine.heap().list(std::move(items));
}

Value dict_items(Machine& machine, Call& call, Value receiver) {
  return listed(machine, call, receiver, [&](const Table::Entry& entry) {
    return machine.heap().tuple({entry.key, entry.value});
  });
}

Value dict_keys(Machine& machine, Call& call, Value receiver) {
  return listed(machine, call, receiver, [](const Table::Entry& entry) { return entry.key; });
}

Value dict_values(Machine& machine, Call& call, Value receiver) {
  return listed(machine, call, receiver, [](const Table::Entry& entry) { return entry.value; });
}

Value dict_pop(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 2);
  if (const auto value = remove(machine, call, *as_dict(receiver), args[0])) return *value;
  if (args.has(1)) return args[1];
  fail(call, "missing key");
}

Value dict_popitem(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 0, 0);
  const Table::Entry* first = as_dict(receiver)->table.first();
  if (first == nullptr) fail(call, "empty dict");
  const Value key = first->key;
  const Value value = *remove(machine, call, *as_dict(receiver), key);
  return machine.heap().tuple({key, value});
}

Value dict_setdefault(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 2);
  TableObject& dict = *as_dict(receiver);
  if (const Value* value = find(machine, call, dict, args[0])) return *value;
  change(call, dict, "insert into");
  dict.table.set(machine.heap(), args[0], args[1]);
  return args[1];
}

Value dict_update(Machine& machine, Call& call, Value receiver) {
  if (call.args.size() > 1) fail(call, "got {} arguments, want at most 1", call.args.size());
  update_dict(machine.heap(), call, *as_dict(receiver));
  return {};
}

// Sets.

Value set_add(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 1);
  change(call, *as_set(receiver), "insert into");
  named_fault(call, [&] { as_set(receiver)->table.set(machine.heap(), args[0], Value()); });
  return {};
}

Value set_clear(Machine& /*machine*/, Call& call, Value receiver) {
  const Arguments args(call, 0, 0);
  TableObject& set = *as_set(receiver);
  if (set.table.size() == 0) return {};
  change(call, set, "clear");
  set.table.clear();
  return {};
}

Value set_discard(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 1);
  remove(machine, call, *as_set(receiver), args[0]);
  return {};
}

Value set_pop(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 0, 0);
  const Table::Entry* first = as_set(receiver)->table.first();
  if (first == nullptr) fail(call, "empty set");
  const Value key = first->key;
  remove(machine, call, *as_set(receiver), key);
  return key;
}

Value set_remove(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 1, 1);
  if (!remove(machine, call, *as_set(receiver), args[0])) fail(call, "missing key");
  return {};
}

Value combined(Machine& machine, const Call& call, Value receiver,
               Value (*combine)(Heap&, Value, Value)) {
  const Arguments args(call, 0, 1);
  const Value other = args.has(0) ? args.iterable(0) : machine.heap().tuple();
  return named_fault(call, [&] { return combine(machine.heap(), receiver, other); });
}

Value set_difference_(Machine& machine, Call& call, Value receiver) {
  return combined(machine, call, receiver, set_difference);
}

Value set_intersection_(Machine& machine, Call& call, Value receiver) {
  return combined(machine, call, receiver, set_intersection);
}

Value set_symmetric_difference_(Machine& machine, Call& call, Value receiver) {
  return combined(machine, call, receiver, set_symmetric_difference);
}

Value set_issubset(Machine& machine, Call& call, Value receiver) {
  const Value common = combined(machine, call, receiver, set_intersection);
  return Value(length(common) == length(receiver));
}

Value set_issuperset(Machine& machine, Call& call, Value receiver) {
  const Arguments args(call, 0, 1);
  bool all = true;
  if (args.has(0))
    for_each(machine.heap(), args.iterable(0), [&](Value item) {
      all = all && find(machine, call, *as_set(receiver), item) != nullptr;
    });
  return Value(all);
}

/// Visits the elements of every argument.
template <class Each>
void each_of_all(Machine& machine, const Call& call, Each each) {
  if (!call.named.empty()) fail(call, "does not accept keyword arguments");
  for (std::size_t i = 0; i < call.args.size(); ++i)
    if (!for_each(machine.heap(), call.args[i],
                  [&](Value item) { named_fault(call, [&] { each(item); }); }))
      fail(call, "argument #{} is not iterable: {}", i + 1, call.args[i].type_name());
}

Value set_union_(Machine& machine, Call& call, Value receiver) {
  const Value result = set_union(machine.heap(), receiver, machine.heap().tuple());
  each_of_all(machine, call,
              [&](Value item) { as_set(result)->table.set(machine.heap(), item, Value()); });
  return result;
}

Value set_update(Machine& machine, Call& call, Value receiver) {
  each_of_all(machine, call, [&](Value item) {
    check_mutable(*as_set(receiver), "insert into");
    as_set(receiver)->table.set(machine.heap(), item, Value());
  });
  return {};
}

constexpr NamedFunction kListMethods[] = {
    {"append", list_append}, {"clear", list_clear}, {"extend", list_extend}, {"index", list_index},
    {"insert", list_insert}, {"pop", list_pop},     {"remove", list_remove}};

constexpr NamedFunction kDictMethods[] = {{"clear", dict_clear},
                                          {"get", dict_get},
                                          {"items", dict_items},
                                          {"keys", dict_keys},
                                          {"pop", dict_pop},
                                          {"popitem", dict_popitem},
                                          {"setdefault", dict_setdefault},
                                          {"update", dict_update},
                                          {"values", dict_values}};

constexpr NamedFunction kSetMethods[] = {{"add", set_add},
                                         {"clear", set_clear},
                                         {"difference", set_difference_},
                                         {"discard", set_discard},
                                         {"intersection", set_intersection_},
                                         {"issubset", set_issubset},
                                         {"issuperset", set_issuperset},
                                         {"pop", set_pop},
                                         {"remove", set_remove},
                                         {"symmetric_difference", set_symmetric_difference_},
                                         {"union", set_union_},
                                         {"update", set_update}};

}  // namespace

std::span<const NamedFunction> list_methods() { return kListMethods; }
std::span<const NamedFunction> dict_methods() { return kDictMethods; }
std::span<const NamedFunction> set_methods() { return kSetMethods; }

}  // namespace portico::starlark::internal
