// Changing lists, dicts and sets, and what ranges hold. Everything here may throw a Fault.
#pragma once

#include <cstdint>
#include <string_view>

#include "starlark/heap.h"
#include "starlark/internal/object.h"

namespace portico::starlark::internal {

/// Faults where the list is frozen or iterated over: "cannot `verb` frozen list".
void check_mutable(const ListObject& list, std::string_view verb);
/// The same for a dict or set, which messages call a hash table.
void check_mutable(const TableObject& table, std::string_view verb);

void push(Heap& heap, ListObject& list, Value item);
/// All elements of `iterable`, which may be the list itself.
void extend(Heap& heap, ListObject& list, Value iterable);
/// Faults where `iterable` is none, "got int, want iterable" behind `what`.
std::vector<Value> elements(Heap& heap, Value iterable, std::string_view what = "");

/// What set() makes: without keys that stand twice.
Value make_set(Heap& heap, Value iterable);
// `other` is any iterable, whose elements must be hashable.
Value set_union(Heap& heap, Value set, Value other);
Value set_intersection(Heap& heap, Value set, Value other);
Value set_difference(Heap& heap, Value set, Value other);
Value set_symmetric_difference(Heap& heap, Value set, Value other);

/// What dict(...) and update(...) do with their arguments: at most one by position, a dict or an
/// iterable of pairs, and any by name.
void update_dict(Heap& heap, const Call& call, TableObject& dict);

/// start, start + step, ... below or above stop; step is not 0. `size` elements.
Value make_range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step,
                 std::int64_t size);
Value make_range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step);
std::int64_t range_element(const RangeObject& range, std::int64_t place);
bool range_contains(const RangeObject& range, std::int64_t value);
/// Wraps around; for ends of ranges, which are no elements.
std::int64_t multiply(std::int64_t x, std::int64_t y);

}  // namespace portico::starlark::internal
