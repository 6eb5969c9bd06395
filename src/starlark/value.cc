#include "starlark/value.h"

#include <algorithm>

#include "starlark/internal/object.h"
#include "starlark/internal/operators.h"
#include "starlark/internal/print.h"
#include "starlark_syntax/utf8.h"

namespace portico::starlark {

using internal::Access;
using internal::Object;
using internal::ObjectKind;

Type Value::type() const noexcept {
  switch (tag_) {
    case Tag::kBool:
      return Type::kBool;
    case Tag::kInt:
      return Type::kInt;
    case Tag::kFloat:
      return Type::kFloat;
    case Tag::kObject:
      break;
    case Tag::kNone:
    case Tag::kUnset:
      return Type::kNone;
  }
  switch (object_->kind) {
    case ObjectKind::kBigInt:
      return Type::kInt;
    case ObjectKind::kString:
      return Type::kString;
    case ObjectKind::kBytes:
      return Type::kBytes;
    case ObjectKind::kList:
      return Type::kList;
    case ObjectKind::kTuple:
      return Type::kTuple;
    case ObjectKind::kDict:
      return Type::kDict;
    case ObjectKind::kSet:
      return Type::kSet;
    case ObjectKind::kRange:
      return Type::kRange;
    case ObjectKind::kView:
      return Type::kView;
    case ObjectKind::kFunction:
      return Type::kFunction;
    case ObjectKind::kBuiltin:
      return Type::kBuiltin;
    case ObjectKind::kRecord:
      return static_cast<internal::RecordObject*>(object_)->module ? Type::kModule : Type::kStruct;
    case ObjectKind::kCell:
    case ObjectKind::kModule:
      break;
  }
  return Type::kNone;
}

std::string_view Value::type_name() const noexcept {
  constexpr std::string_view kNames[] = {
      "NoneType", "bool",  "int", "float", "string",       "bytes",    "list",
      "tuple",    "dict",  "set", "range", "string.elems", "function", "builtin_function_or_method",
      "struct",   "module"};
  if (const internal::ViewObject* view = internal::as_view(*this)) {
    if (view->view == internal::ViewKind::kBytes) return "bytes.elems";
    if (view->view == internal::ViewKind::kCodePoints ||
        view->view == internal::ViewKind::kCodePointOrds)
      return "string.codepoints";
  }
  return kNames[static_cast<std::size_t>(type())];
}

std::optional<std::int64_t> Value::as_int() const noexcept {
  if (tag_ == Tag::kInt) return int_;
  return std::nullopt;  // larger ones do not fit
}

std::optional<std::uint64_t> Value::as_uint() const noexcept {
  if (tag_ == Tag::kInt)
    return int_ < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(int_));
  const internal::BigIntObject* big = internal::as_big_int(*this);
  return big == nullptr ? std::nullopt : big->value.to_uint64();
}

std::optional<double> Value::to_float() const { return internal::to_float(*this); }

std::string_view Value::text() const noexcept {
  const Object* object = Access::object(*this);
  if (object == nullptr ||
      (object->kind != ObjectKind::kString && object->kind != ObjectKind::kBytes))
    return {};
  return static_cast<const internal::StringObject*>(object)->text;
}

std::span<const Value> Value::items() const noexcept {
  if (const internal::ListObject* list = internal::as_list(*this)) return list->items;
  if (const internal::TupleObject* tuple = internal::as_tuple(*this)) return tuple->items;
  return {};
}

std::vector<std::pair<Value, Value>> Value::entries() const {
  std::vector<std::pair<Value, Value>> result;
  if (const internal::TableObject* dict = internal::as_dict(*this)) {
    result.reserve(dict->table.size());
    for (const internal::Table::Entry& entry : dict->table.entries())
      if (!Access::is_unset(entry.key)) result.emplace_back(entry.key, entry.value);
  }
  return result;
}

std::vector<std::pair<std::string_view, Value>> Value::fields() const {
  std::vector<std::pair<std::string_view, Value>> result;
  if (const internal::RecordObject* record = internal::as_record(*this))
    result.assign(record->fields.begin(), record->fields.end());
  return result;
}

std::optional<Value> Value::find(std::string_view name) const {
  if (const internal::RecordObject* record = internal::as_record(*this)) {
    const Value* field = record->find(name);
    return field == nullptr ? std::nullopt : std::optional(*field);
  }
  if (const internal::TableObject* dict = internal::as_dict(*this))
    for (const internal::Table::Entry& entry : dict->table.entries())
      if (internal::as_string(entry.key) != nullptr && entry.key.text() == name) return entry.value;
  return std::nullopt;
}

std::uintptr_t Value::identity() const noexcept {
  return reinterpret_cast<std::uintptr_t>(Access::object(*this));
}

bool Value::truth() const noexcept {
  switch (type()) {
    case Type::kNone:
      return false;
    case Type::kBool:
      return bool_;
    case Type::kInt:
      return tag_ != Tag::kInt || int_ != 0;
    case Type::kFloat:
      return float_ != 0;
    case Type::kString:
    case Type::kBytes:
      return !text().empty();
    case Type::kList:
    case Type::kTuple:
      return !items().empty();
    case Type::kDict:
    case Type::kSet:
      return static_cast<const internal::TableObject*>(object_)->table.size() > 0;
    case Type::kRange:
      return static_cast<const internal::RangeObject*>(object_)->size > 0;
    default:
      return true;
  }
}

std::string Value::repr() const {
  std::string text;
  internal::write(text, *this);
  return text;
}

std::string Value::str() const {
  if (is(Type::kString)) return std::string(text());
  if (is(Type::kBytes)) return valid_utf8(text());
  return repr();
}

namespace internal {

const Value* RecordObject::find(std::string_view field) const {
  const auto found =
      std::lower_bound(fields.begin(), fields.end(), field,
                       [](const auto& one, std::string_view wanted) { return one.first < wanted; });
  return found != fields.end() && found->first == field ? &found->second : nullptr;
}

}  // namespace internal

}  // namespace portico::starlark
