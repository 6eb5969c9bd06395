// Modifies lists, dicts and sets, and creates ranges. Every function may throw an EvalError.
#pragma once

#include <cstdint>
#include <string_view>

#include "starlark/heap.h"
#include "starlark/internal/object.h"

namespace portico::starlark::internal {

/// Faults if the list is frozen or being iterated over: "cannot `verb` frozen list".
void check_mutable(const ListObject& list, std::string_view verb);
/// The same for a dict or set, which messages call a hash table.
void check_mutable(const TableObject& table, std::string_view verb);

void push(Heap& heap, ListObject& list, Value item);
/// Appends all elements of `iterable`, which may be the list itself.
void extend(Heap& heap, ListObject& list, Value iterable);
/// Faults if `iterable` is not iterable: "got int, want iterable", after `what`.
std::vector<Value> elements(Heap& heap, Value iterable, std::string_view what = "");

/// Implements set(): drops duplicate keys.
Value make_set(Heap& heap, Value iterable);
// `other` is any iterable, whose elements must be hashable.
Value set_union(Heap& heap, Value set, Value other);
Value set_intersection(Heap& heap, Value set, Value other);
Value set_difference(Heap& heap, Value set, Value other);
Value set_symmetric_difference(Heap& heap, Value set, Value other);

/// Implements the arguments of dict(...) and update(...): at most one positional argument, a dict
/// or an iterable of pairs, and any number of named ones.
void update_dict(Heap& heap, const Call& call, TableObject& dict);

/// start, start + step, ... up to but excluding stop; step is not 0. It has `size` elements.
Value make_range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step,
                 std::int64_t size);
Value make_range(Heap& heap, std::int64_t start, std::int64_t stop, std::int64_t step);
std::int64_t range_element(const RangeObject& range, std::int64_t place);
bool range_contains(const RangeObject& range, std::int64_t value);
/// Wraps around on overflow; for range ends, which are not elements.
std::int64_t multiply(std::int64_t x, std::int64_t y);

}  // namespace portico::starlark::internal
