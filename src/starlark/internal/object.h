// The objects that values point to, and the module's access to them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "starlark/call.h"
#include "starlark/internal/table.h"
#include "starlark/value.h"
#include "starlark_syntax/big_int.h"

namespace portico::starlark::internal {

class Machine;
struct Code;
struct FunctionCode;

enum class ObjectKind : std::uint8_t {
  kBigInt,
  kString,
  kBytes,
  kList,
  kTuple,
  kDict,
  kSet,
  kRange,
  kView,
  kFunction,
  kBuiltin,
  kRecord,
  kCell,
  kModule,  // the globals shared by the functions of one program
};

/// Base of all objects. The heap links them and frees them by kind.
struct Object {
  explicit Object(ObjectKind its_kind) : kind(its_kind) {}
  Object* next = nullptr;
  ObjectKind kind;
  bool frozen = false;
};

struct BigIntObject : Object {
  explicit BigIntObject(BigInt number) : Object(ObjectKind::kBigInt), value(std::move(number)) {}
  BigInt value;
};

/// A string or bytes. The hash is computed at compile time or on first use: literals are shared
/// between threads.
struct StringObject : Object {
  StringObject(ObjectKind its_kind, std::string content)
      : Object(its_kind), text(std::move(content)) {}
  std::string text;
  std::uint64_t hash = 0;  // 0: not yet computed
};

struct ListObject : Object {
  ListObject() : Object(ObjectKind::kList) {}
  std::vector<Value> items;
  std::uint32_t iterations = 0;  // active loops
};

struct TupleObject : Object {
  explicit TupleObject(std::vector<Value> content)
      : Object(ObjectKind::kTuple), items(std::move(content)) {}
  std::vector<Value> items;
};

/// A dict, or a set, whose values are all None.
struct TableObject : Object {
  explicit TableObject(ObjectKind its_kind) : Object(its_kind) {}
  Table table;
  std::uint32_t iterations = 0;
};

struct RangeObject : Object {
  RangeObject(std::int64_t from, std::int64_t to, std::int64_t by, std::int64_t count)
      : Object(ObjectKind::kRange), start(from), stop(to), step(by), size(count) {}
  std::int64_t start, stop, step, size;
};

enum class ViewKind : std::uint8_t { kElems, kElemOrds, kCodePoints, kCodePointOrds, kBytes };

struct ViewObject : Object {
  ViewObject(ViewKind of, Value base) : Object(ObjectKind::kView), view(of), text(base) {}
  ViewKind view;
  Value text;
};

struct CellObject : Object {
  explicit CellObject(Value first) : Object(ObjectKind::kCell), value(first) {}
  Value value;  // unset until the variable is assigned
};

struct ModuleObject : Object {
  ModuleObject() : Object(ObjectKind::kModule) {}
  const Code* code = nullptr;
  std::vector<Value> globals;      // unset until they are assigned
  std::vector<Value> predeclared;  // in the order of the code's names
};

struct FunctionObject : Object {
  FunctionObject(const FunctionCode* its_code, ModuleObject* its_module)
      : Object(ObjectKind::kFunction), code(its_code), module(its_module) {}
  const FunctionCode* code;
  ModuleObject* module;
  std::vector<Value> defaults;  // from the first optional parameter on; unset if mandatory
  std::vector<CellObject*> free;
};

using BuiltinFunction = Value (*)(Machine& machine, Call& call, Value receiver);

/// `function` or `native` is set.
struct BuiltinObject : Object {
  explicit BuiltinObject(std::string_view its_name)
      : Object(ObjectKind::kBuiltin), name(its_name) {}
  std::string name;
  BuiltinFunction function = nullptr;
  Native native = nullptr;
  Value receiver;
  bool bound = false;
};

/// A struct or a module; fields sorted by name.
struct RecordObject : Object {
  RecordObject(bool is_module, std::string its_name)
      : Object(ObjectKind::kRecord), module(is_module), name(std::move(its_name)) {}
  bool module;
  std::string name;
  std::vector<std::pair<std::string, Value>> fields;
  const Value* find(std::string_view field) const;
};

/// The module's access to the internals of Value and Heap.
struct Access {
  static Value value(Object* pointee) {
    Value handle;
    handle.tag_ = Value::Tag::kObject;
    handle.object_ = pointee;
    return handle;
  }
  static Value unset() {
    Value mark;
    mark.tag_ = Value::Tag::kUnset;
    return mark;
  }
  static bool is_unset(Value one) { return one.tag_ == Value::Tag::kUnset; }
  static bool is_small_int(Value one) { return one.tag_ == Value::Tag::kInt; }
  static std::int64_t small_int(Value one) { return one.int_; }
  static Object* object(Value one) {
    return one.tag_ == Value::Tag::kObject ? one.object_ : nullptr;
  }
  /// The object if it has that kind, else nullptr.
  static Object* object(Value one, ObjectKind kind) {
    Object* found = object(one);
    return found != nullptr && found->kind == kind ? found : nullptr;
  }
  /// Whether both are None, the same bool or the same object.
  static bool identical(Value x, Value y) {
    if (x.tag_ != y.tag_) return false;
    if (x.tag_ == Value::Tag::kBool) return x.bool_ == y.bool_;
    return x.tag_ == Value::Tag::kNone || (x.tag_ == Value::Tag::kObject && x.object_ == y.object_);
  }

  /// Passes ownership of an object to the heap.
  static Value adopt(Heap& heap, Object* made, std::size_t bytes);
  template <class T, class... Args>
  static T* make(Heap& heap, Args&&... args) {
    T* made = new T(std::forward<Args>(args)...);
    adopt(heap, made, sizeof(T));
    return made;
  }
  static void charge(Heap& heap, std::size_t bytes) { heap.charge(bytes); }
  static bool has_room(const Heap& heap, std::size_t bytes);
  static void keep(Heap& heap, std::shared_ptr<const void> what) {
    heap.kept_.push_back(std::move(what));
  }
  static const Limits& limits(const Heap& heap) { return heap.limits_; }
};

inline StringObject* as_string(Value value) {
  return static_cast<StringObject*>(Access::object(value, ObjectKind::kString));
}
inline StringObject* as_bytes(Value value) {
  return static_cast<StringObject*>(Access::object(value, ObjectKind::kBytes));
}
inline BigIntObject* as_big_int(Value value) {
  return static_cast<BigIntObject*>(Access::object(value, ObjectKind::kBigInt));
}
inline ListObject* as_list(Value value) {
  return static_cast<ListObject*>(Access::object(value, ObjectKind::kList));
}
inline TupleObject* as_tuple(Value value) {
  return static_cast<TupleObject*>(Access::object(value, ObjectKind::kTuple));
}
inline TableObject* as_dict(Value value) {
  return static_cast<TableObject*>(Access::object(value, ObjectKind::kDict));
}
inline TableObject* as_set(Value value) {
  return static_cast<TableObject*>(Access::object(value, ObjectKind::kSet));
}
inline RangeObject* as_range(Value value) {
  return static_cast<RangeObject*>(Access::object(value, ObjectKind::kRange));
}
inline ViewObject* as_view(Value value) {
  return static_cast<ViewObject*>(Access::object(value, ObjectKind::kView));
}
inline FunctionObject* as_function(Value value) {
  return static_cast<FunctionObject*>(Access::object(value, ObjectKind::kFunction));
}
inline BuiltinObject* as_builtin(Value value) {
  return static_cast<BuiltinObject*>(Access::object(value, ObjectKind::kBuiltin));
}
inline RecordObject* as_record(Value value) {
  return static_cast<RecordObject*>(Access::object(value, ObjectKind::kRecord));
}
inline CellObject* as_cell(Value value) {
  return static_cast<CellObject*>(Access::object(value, ObjectKind::kCell));
}

/// Frees one object, whatever its kind.
void destroy(Object* object);

}  // namespace portico::starlark::internal
