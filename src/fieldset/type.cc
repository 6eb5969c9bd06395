#include "fieldset/type.h"

#include <algorithm>

namespace portico::fieldset {
namespace {

using Types = std::vector<std::unique_ptr<Type>>;

/// Builds types; all of them live as long as the result of take().
class Builder {
 public:
  Builder() {
    string_ = scalar(Type::Scalar::kString);
    number_ = scalar(Type::Scalar::kNumber);
    any_ = scalar(Type::Scalar::kAny);
  }

  const Type* object(const schema::Schema& schema) {
    Type* type = schema ? map(*schema) : make();
    type->is_map = true;
    if (!schema) type->additional = &free_type();
    add_identity(*type);
    return type;
  }

  std::shared_ptr<const Types> take() { return std::make_shared<const Types>(std::move(types_)); }

 private:
  Type* make() {
    types_.push_back(std::make_unique<Type>());
    return types_.back().get();
  }

  Type* scalar(Type::Scalar form) {
    Type* type = make();
    type->scalar = form;
    return type;
  }

  Type* map_of(const Type* members) {
    Type* type = make();
    type->is_map = true;
    type->additional = members;
    return type;
  }

  Type* list_of(Type::List form, const Type* items, std::vector<std::string> keys = {}) {
    Type* type = make();
    type->list = form;
    type->items = items;
    type->keys = std::move(keys);
    std::sort(type->keys.begin(), type->keys.end());
    return type;
  }

  static void put(Type& type, std::string name, const Type* of) {
    const auto at =
        std::lower_bound(type.fields.begin(), type.fields.end(), name,
                         [](const Field& a, const std::string& b) { return a.name < b; });
    if (at != type.fields.end() && at->name == name)
      at->type = of;
    else
      type.fields.insert(at, Field{std::move(name), of});
  }

  void add_identity(Type& type) {
    put(type, "apiVersion", string_);
    put(type, "kind", string_);
    put(type, "metadata", metadata());
  }

  const Type* metadata() {
    if (metadata_ != nullptr) return metadata_;
    Type* type = make();
    type->is_map = true;
    for (const char* name :
         {"generateName", "name", "namespace", "resourceVersion", "selfLink", "uid", "clusterName"})
      put(*type, name, string_);
    for (const char* name : {"deletionGracePeriodSeconds", "generation"}) put(*type, name, number_);
    for (const char* name : {"creationTimestamp", "deletionTimestamp"}) put(*type, name, any_);
    for (const char* name : {"annotations", "labels"}) put(*type, name, map_of(string_));
    put(*type, "finalizers", list_of(Type::List::kSet, string_));
    put(*type, "managedFields", list_of(Type::List::kAtomic, &free_type()));
    Type* owner = make();
    owner->is_map = owner->is_atomic_map = true;
    for (const char* name : {"apiVersion", "kind", "name", "uid"}) put(*owner, name, string_);
    const Type* boolean = scalar(Type::Scalar::kBoolean);
    for (const char* name : {"blockOwnerDeletion", "controller"}) put(*owner, name, boolean);
    put(*type, "ownerReferences", list_of(Type::List::kKeyed, owner, {"uid"}));
    return metadata_ = type;
  }

  const Type* value(const schema::Node& node) {
    if (node.int_or_string) return any_;
    switch (node.type) {
      case schema::Type::kString:
        return string_;
      case schema::Type::kInteger:
      case schema::Type::kNumber:
        return number_;
      case schema::Type::kBoolean:
        return scalar(Type::Scalar::kBoolean);
      case schema::Type::kArray:
        return list(node);
      case schema::Type::kObject:
        return object_value(node);
      case schema::Type::kAny:
        break;
    }
    return node.properties.empty() ? &free_type() : object_value(node);
  }

  const Type* object_value(const schema::Node& node) {
    Type* type = map(node);
    if (node.embedded_resource) add_identity(*type);
    return type;
  }

  const Type* list(const schema::Node& node) {
    const Type* items = node.items ? value(*node.items) : &free_type();
    if (node.list_type == schema::ListType::kSet) return list_of(Type::List::kSet, items);
    if (node.list_type == schema::ListType::kMap)
      return list_of(Type::List::kKeyed, items, node.list_keys);
    return list_of(Type::List::kAtomic, items);
  }

  Type* map(const schema::Node& node) {
    Type* type = make();
    type->is_map = true;
    type->is_atomic_map = node.map_type == schema::MapType::kAtomic;
    for (const schema::Property& property : node.properties)
      type->fields.push_back(
          {property.name, value(*property.schema), property.schema->default_value});
    if (node.additional)
      type->additional = value(*node.additional);
    else if (node.preserve_unknown_fields || (node.properties.empty() && node.additional_allowed))
      type->additional = &free_type();
    return type;
  }

  Types types_;
  const Type *string_ = nullptr, *number_ = nullptr, *any_ = nullptr, *metadata_ = nullptr;
};

}  // namespace

const Type& free_type() {
  // Everything below a list is owned with the list.
  static const Type kWhole = [] {
    Type type;
    type.scalar = Type::Scalar::kAny;
    type.is_map = type.is_atomic_map = true;
    type.list = Type::List::kAtomic;
    type.additional = type.items = &kWhole;
    return type;
  }();
  static const Type kFree = [] {
    Type type;
    type.scalar = Type::Scalar::kAny;
    type.is_map = true;
    type.list = Type::List::kAtomic;
    type.additional = &kFree;
    type.items = &kWhole;
    return type;
  }();
  return kFree;
}

const Field* Type::field(std::string_view name) const {
  const auto at = std::lower_bound(fields.begin(), fields.end(), name,
                                   [](const Field& a, std::string_view b) { return a.name < b; });
  return at == fields.end() || at->name != name ? nullptr : &*at;
}

const Type* Type::member(std::string_view name) const {
  const Field* declared = field(name);
  return declared != nullptr ? declared->type : additional;
}

ObjectType::ObjectType() : ObjectType(schema::Schema()) {}

ObjectType::ObjectType(const schema::Schema& schema) {
  Builder builder;
  root_ = builder.object(schema);
  types_ = builder.take();
}

}  // namespace portico::fieldset
