#include "starlark/internal/iterate.h"

#include "starlark/internal/containers.h"
#include "starlark/internal/eval_error.h"
#include "starlark_syntax/unicode.h"

namespace portico::starlark::internal {

namespace {

bool next_of_view(Heap& heap, const ViewObject& view, std::size_t& at, Value& element) {
  const std::string_view rest = view.text.text().substr(at);
  if (rest.empty()) return false;
  const bool code_points =
      view.view == ViewKind::kCodePoints || view.view == ViewKind::kCodePointOrds;
  const Decoded next = code_points ? decode(rest) : Decoded{static_cast<unsigned char>(rest[0]), 1};
  at += next.size;
  if (view.view == ViewKind::kElems || view.view == ViewKind::kCodePoints) {
    std::string text(rest.substr(0, next.size));
    if (code_points && next.code == kReplacement) text = valid_utf8(text);
    element = heap.string(text);
  } else {
    element = Value(std::int64_t{next.code});
  }
  return true;
}

}  // namespace

std::optional<Iterator> Iterator::over(Value value) {
  Object* object = Access::object(value);
  if (object == nullptr) return std::nullopt;
  Iterator iterator(value);
  switch (object->kind) {
    case ObjectKind::kList:
      iterator.iterations_ = &static_cast<ListObject*>(object)->iterations;
      break;
    case ObjectKind::kDict:
    case ObjectKind::kSet:
      iterator.iterations_ = &static_cast<TableObject*>(object)->iterations;
      break;
    case ObjectKind::kTuple:
    case ObjectKind::kRange:
    case ObjectKind::kView:
      break;
    default:
      return std::nullopt;
  }
  if (iterator.iterations_ != nullptr) ++*iterator.iterations_;
  return iterator;
}

bool Iterator::next(Heap& heap, Value& element) {
  pay(heap, 1);
  Object* object = Access::object(value_);
  switch (object->kind) {
    case ObjectKind::kList:
    case ObjectKind::kTuple: {
      const std::span<const Value> items = value_.items();
      if (at_ == items.size()) return false;
      element = items[at_++];
      return true;
    }
    case ObjectKind::kDict:
    case ObjectKind::kSet: {
      const auto& entries = static_cast<TableObject*>(object)->table.entries();
      while (at_ < entries.size() && Access::is_unset(entries[at_].key)) ++at_;
      if (at_ == entries.size()) return false;
      element = entries[at_++].key;
      return true;
    }
    case ObjectKind::kRange: {
      const auto& range = static_cast<RangeObject&>(*object);
      if (static_cast<std::int64_t>(at_) == range.size) return false;
      element = Value(range_element(range, static_cast<std::int64_t>(at_++)));
      return true;
    }
    default:
      return next_of_view(heap, static_cast<ViewObject&>(*object), at_, element);
  }
}

}  // namespace portico::starlark::internal
