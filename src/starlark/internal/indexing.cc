// x[i], x[i:j:k] and the indices that methods take.
#include <algorithm>

#include "starlark/internal/containers.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/operators.h"

namespace portico::starlark::internal {

namespace {

[[noreturn]] void out_of_range(std::int64_t index, std::int64_t size, Value x) {
  if (size == 0) fault("index {} out of range: empty {}", index, x.type_name());
  fault("{} index {} out of range [{}:{}]", x.type_name(), index, -size, size - 1);
}

/// `shown`: error messages about the key begin with the operand's type.
std::size_t element_index(Value x, Value key, std::int64_t size, bool shown) {
  std::int64_t index = key.as_int().value_or(INT64_MAX);
  if (index > INT32_MAX || index < INT32_MIN)
    index = as_int32(key, shown ? fmt::format("{} index: ", x.type_name()) : "");
  const std::int64_t place = index < 0 ? index + size : index;
  if (place < 0 || place >= size) out_of_range(index, size, x);
  return static_cast<std::size_t>(place);
}

bool is_indexable(Value x) {
  if (const ViewObject* view = as_view(x))
    return view->view == ViewKind::kElems || view->view == ViewKind::kElemOrds;
  return x.is(Type::kString) || x.is(Type::kBytes) || x.is(Type::kList) || x.is(Type::kTuple) ||
         x.is(Type::kRange);
}

Value element(Heap& heap, Value x, std::size_t place) {
  switch (x.type()) {
    case Type::kString:
      return heap.string(x.text().substr(place, 1));
    case Type::kBytes:
      return heap.bytes(x.text().substr(place, 1));
    case Type::kRange:
      return Value(range_element(*as_range(x), static_cast<std::int64_t>(place)));
    case Type::kView: {
      const std::string_view byte = as_view(x)->text.text().substr(place, 1);
      if (as_view(x)->view == ViewKind::kElems) return heap.string(byte);
      return Value(std::int64_t{static_cast<unsigned char>(byte[0])});
    }
    default:
      return x.items()[place];
  }
}

constexpr std::string_view kInvalidStart = "invalid start index: ";
constexpr std::string_view kInvalidEnd = "invalid end index: ";

/// Counts from the end if negative; None gives `otherwise`.
std::int64_t as_index(Value value, std::int64_t size, std::int64_t otherwise,
                      std::string_view what) {
  if (value.is_none()) return otherwise;
  const std::int64_t index = as_int32(value, what);
  return index < 0 ? index + size : index;
}

/// `low`, low + step, ... up to but excluding `high`.
template <class Take>
void stride(std::int64_t low, std::int64_t high, std::int64_t step, Take take) {
  for (std::int64_t i = low; step > 0 ? i < high : i > high; i += step)
    take(static_cast<std::size_t>(i));
}

}  // namespace

std::int64_t as_int32(Value value, std::string_view what) {
  if (!is_int(value)) fault("{}got {}, want int", what, value.type_name());
  const auto small = value.as_int();
  if (!small || *small > INT32_MAX || *small < INT32_MIN)
    fault("{}{} out of range", what, value.repr());
  return *small;
}

Bounds bounds(Value start, Value end, std::int64_t size) {
  const std::int64_t low = as_index(start, size, 0, kInvalidStart);
  const std::int64_t high = as_index(end, size, size, kInvalidEnd);
  return {std::clamp<std::int64_t>(low, 0, size), std::clamp<std::int64_t>(high, 0, size)};
}

std::optional<std::int64_t> length(Value value) {
  switch (value.type()) {
    case Type::kString:
    case Type::kBytes:
      return static_cast<std::int64_t>(value.text().size());
    case Type::kList:
    case Type::kTuple:
      return static_cast<std::int64_t>(value.items().size());
    case Type::kDict:
      return static_cast<std::int64_t>(as_dict(value)->table.size());
    case Type::kSet:
      return static_cast<std::int64_t>(as_set(value)->table.size());
    case Type::kRange:
      return as_range(value)->size;
    case Type::kView:
      if (!is_indexable(value)) return std::nullopt;
      return static_cast<std::int64_t>(as_view(value)->text.text().size());
    default:
      return std::nullopt;
  }
}

Value get_index(Heap& heap, Value x, Value key) {
  if (TableObject* dict = as_dict(x)) {
    const Value* found = dict->table.find(heap, key);
    if (found == nullptr) fault("key {} not in dict", key.repr());
    return *found;
  }
  if (!is_indexable(x)) fault("unhandled index operation {}[{}]", x.type_name(), key.type_name());
  return element(heap, x, element_index(x, key, *length(x), true));
}

void set_index(Heap& heap, Value x, Value key, Value value) {
  if (TableObject* dict = as_dict(x)) {
    check_mutable(*dict, "insert into");
    dict->table.set(heap, key, value);
    return;
  }
  ListObject* list = as_list(x);
  if (list == nullptr) fault("{} value does not support item assignment", x.type_name());
  const std::size_t place =
      element_index(x, key, static_cast<std::int64_t>(list->items.size()), false);
  check_mutable(*list, "assign to element of");
  list->items[place] = value;
}

Value slice(Heap& heap, Value x, Value low, Value high, Value step_value) {
  if (!is_indexable(x) || x.is(Type::kView)) fault("invalid slice operand {}", x.type_name());
  const std::int64_t size = *length(x);
  std::int64_t step = 1;
  if (!step_value.is_none()) {
    step = as_int32(step_value, "invalid slice step: ");
    if (step == 0) fault("zero is not a valid slice step");
  }
  std::int64_t start = 0;
  std::int64_t end = 0;
  if (step > 0) {
    const Bounds part = bounds(low, high, size);
    start = part.start;
    end = std::max(part.end, part.start);
  } else {
    // -1 is the position before the first element, which no index denotes.
    start = std::min(as_index(low, size, size - 1, kInvalidStart), size - 1);
    end = std::max<std::int64_t>(as_index(high, size, -1, kInvalidEnd), -1);
    start = std::max(start, end);
  }
  if (const RangeObject* range = as_range(x)) {
    const std::int64_t count =
        step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
    return make_range(heap, range_element(*range, start), range_element(*range, end),
                      multiply(range->step, step), count);
  }
  pay(heap, static_cast<std::uint64_t>(std::abs(end - start)) / 8 + 1);
  if (x.is(Type::kString) || x.is(Type::kBytes)) {
    const std::string_view whole = x.text();
    std::string text;
    require(heap, static_cast<std::size_t>(std::abs(end - start)));
    if (step == 1) {
      text = whole.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start));
    } else {
      stride(start, end, step, [&](std::size_t i) { text += whole[i]; });
    }
    return x.is(Type::kString) ? heap.string(text) : heap.bytes(text);
  }
  require(heap, static_cast<std::size_t>(std::abs(end - start)) * sizeof(Value));
  std::vector<Value> items;
  stride(start, end, step, [&](std::size_t i) { items.push_back(x.items()[i]); });
  return x.is(Type::kList) ? heap.list(std::move(items)) : heap.tuple(std::move(items));
}

}  // namespace portico::starlark::internal
