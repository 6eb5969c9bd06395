#include "starlark/heap.h"

#include <fmt/format.h>

#include <algorithm>

#include "starlark/internal/containers.h"
#include "starlark/internal/eval_error.h"
#include "starlark/internal/object.h"
#include "starlark/internal/operators.h"

namespace portico::starlark {

using internal::Access;
using internal::ObjectKind;

namespace {

constexpr std::uint64_t kStepsBetweenQuestions = 8192;

std::vector<std::pair<std::string, Value>> by_name(
    std::vector<std::pair<std::string, Value>> fields) {
  std::sort(fields.begin(), fields.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return fields;
}

template <class Change>
Result<Done> guarded(Change change) {
  try {
    change();
    return Done{};
  } catch (const internal::EvalError& why) {
    return invalid("{}", why.message);
  }
}

}  // namespace

Heap::Heap(Limits limits) : limits_(std::move(limits)) {}

Heap::~Heap() {
  while (objects_ != nullptr) {
    internal::Object* next = objects_->next;
    internal::destroy(objects_);
    objects_ = next;
  }
}

Value Heap::string(std::string_view text) {
  auto* object =
      Access::make<internal::StringObject>(*this, ObjectKind::kString, std::string(text));
  charge(text.size());
  return Access::value(object);
}

Value Heap::bytes(std::string_view bytes) {
  auto* object =
      Access::make<internal::StringObject>(*this, ObjectKind::kBytes, std::string(bytes));
  charge(bytes.size());
  return Access::value(object);
}

Value Heap::integer(std::uint64_t value) {
  if (value <= INT64_MAX) return Value(static_cast<std::int64_t>(value));
  const BigInt big = *BigInt::parse(std::to_string(value), 10);
  return Access::value(Access::make<internal::BigIntObject>(*this, big));
}

Value Heap::truncated(double value) {
  return internal::make_int(*this, BigInt::from_double(value));
}

std::optional<Value> Heap::integer(std::string_view digits) {
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.size() > kMaxIntBits / 4) return std::nullopt;
  const auto value = BigInt::parse(digits, 10);
  if (!value || value->bits() > kMaxIntBits) return std::nullopt;
  return internal::make_int(*this, negative ? -*value : *value);
}

Value Heap::list(std::vector<Value> items) {
  auto* object = Access::make<internal::ListObject>(*this);
  charge(items.capacity() * sizeof(Value));
  object->items = std::move(items);
  return Access::value(object);
}

Value Heap::tuple(std::vector<Value> items) {
  charge(items.capacity() * sizeof(Value));
  return Access::value(Access::make<internal::TupleObject>(*this, std::move(items)));
}

Value Heap::dict() {
  return Access::value(Access::make<internal::TableObject>(*this, ObjectKind::kDict));
}

Value Heap::structure(std::vector<std::pair<std::string, Value>> fields) {
  auto* object = Access::make<internal::RecordObject>(*this, false, "struct");
  object->fields = by_name(std::move(fields));
  return Access::value(object);
}

Value Heap::module(std::string_view name, std::vector<std::pair<std::string, Value>> members) {
  auto* object = Access::make<internal::RecordObject>(*this, true, std::string(name));
  object->fields = by_name(std::move(members));
  return Access::value(object);
}

Value Heap::builtin(std::string_view name, Native function) {
  auto* object = Access::make<internal::BuiltinObject>(*this, name);
  object->native = function;
  return Access::value(object);
}

Value Heap::method(std::string_view name, Native function, Value receiver) {
  const Value made = builtin(name, function);
  internal::BuiltinObject* object = internal::as_builtin(made);
  object->receiver = receiver;
  object->bound = true;
  return made;
}

Result<Done> Heap::set(Value dict, Value key, Value value) {
  internal::TableObject* table = internal::as_dict(dict);
  if (table == nullptr) return invalid("got {}, want dict", dict.type_name());
  return guarded([&] {
    internal::check_mutable(*table, "insert into");
    table->table.set(*this, key, value);
  });
}

Result<Done> Heap::append(Value list, Value item) {
  internal::ListObject* object = internal::as_list(list);
  if (object == nullptr) return invalid("got {}, want list", list.type_name());
  return guarded([&] {
    internal::check_mutable(*object, "append to");
    internal::push(*this, *object, item);
  });
}

std::optional<std::vector<Value>> Heap::elements(Value iterable) {
  try {
    return internal::elements(*this, iterable);
  } catch (const internal::EvalError&) {
    return std::nullopt;
  }
}

void Heap::freeze(Value value) {
  std::vector<internal::Object*> todo;
  const auto visit = [&todo](Value one) {
    internal::Object* object = Access::object(one);
    if (object == nullptr || object->frozen) return;
    // Literals belong to a program that other threads may be running; they are immutable anyway.
    if (object->kind == ObjectKind::kString || object->kind == ObjectKind::kBytes ||
        object->kind == ObjectKind::kBigInt)
      return;
    object->frozen = true;
    todo.push_back(object);
  };
  visit(value);
  while (!todo.empty()) {
    internal::Object* object = todo.back();
    todo.pop_back();
    switch (object->kind) {
      case ObjectKind::kList:
        for (const Value item : static_cast<internal::ListObject*>(object)->items) visit(item);
        break;
      case ObjectKind::kTuple:
        for (const Value item : static_cast<internal::TupleObject*>(object)->items) visit(item);
        break;
      case ObjectKind::kDict:
      case ObjectKind::kSet:
        for (const auto& entry : static_cast<internal::TableObject*>(object)->table.entries()) {
          visit(entry.key);
          visit(entry.value);
        }
        break;
      case ObjectKind::kRecord:
        for (const auto& field : static_cast<internal::RecordObject*>(object)->fields)
          visit(field.second);
        break;
      case ObjectKind::kBuiltin:
        visit(static_cast<internal::BuiltinObject*>(object)->receiver);
        break;
      case ObjectKind::kFunction: {
        auto* function = static_cast<internal::FunctionObject*>(object);
        for (const Value one : function->defaults) visit(one);
        for (internal::CellObject* cell : function->free) visit(cell->value);
        break;
      }
      default:
        break;
    }
  }
}

bool Heap::spend(std::uint64_t steps) {
  if (!exhausted_.empty()) return false;
  steps_ += steps;
  if (steps_ > limits_.steps) {
    exhausted_ = fmt::format("too many steps (limit {})", limits_.steps);
  } else if (steps_ >= asked_at_ + kStepsBetweenQuestions) {
    asked_at_ = steps_;
    if (limits_.keep_going && !limits_.keep_going()) exhausted_ = "stopped from outside";
  }
  return exhausted_.empty();
}

void Heap::charge(std::size_t bytes) {
  memory_ += bytes;
  if (memory_ > limits_.memory && exhausted_.empty())
    exhausted_ = fmt::format("too much memory (limit {} bytes)", limits_.memory);
}

namespace internal {

Value Access::adopt(Heap& heap, Object* made, std::size_t bytes) {
  constexpr std::size_t kAllocation = 16;
  made->next = heap.objects_;
  heap.objects_ = made;
  heap.charge(bytes + kAllocation);
  return value(made);
}

bool Access::has_room(const Heap& heap, std::size_t bytes) {
  return heap.memory_ <= heap.limits_.memory && bytes <= heap.limits_.memory - heap.memory_;
}

void require(Heap& heap, std::size_t bytes) {
  if (Access::has_room(heap, bytes)) return;
  throw EvalError{Failure::Kind::kLimit,
                  fmt::format("too much memory (limit {} bytes)", Access::limits(heap).memory)};
}

void destroy(Object* object) {
  switch (object->kind) {
    case ObjectKind::kBigInt:
      return delete static_cast<BigIntObject*>(object);
    case ObjectKind::kString:
    case ObjectKind::kBytes:
      return delete static_cast<StringObject*>(object);
    case ObjectKind::kList:
      return delete static_cast<ListObject*>(object);
    case ObjectKind::kTuple:
      return delete static_cast<TupleObject*>(object);
    case ObjectKind::kDict:
    case ObjectKind::kSet:
      return delete static_cast<TableObject*>(object);
    case ObjectKind::kRange:
      return delete static_cast<RangeObject*>(object);
    case ObjectKind::kView:
      return delete static_cast<ViewObject*>(object);
    case ObjectKind::kFunction:
      return delete static_cast<FunctionObject*>(object);
    case ObjectKind::kBuiltin:
      return delete static_cast<BuiltinObject*>(object);
    case ObjectKind::kRecord:
      return delete static_cast<RecordObject*>(object);
    case ObjectKind::kCell:
      return delete static_cast<CellObject*>(object);
    case ObjectKind::kModule:
      return delete static_cast<ModuleObject*>(object);
  }
}

}  // namespace internal

}  // namespace portico::starlark
