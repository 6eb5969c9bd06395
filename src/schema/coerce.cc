// metav1.ObjectMeta as a table of member names and types.
#include <algorithm>

#include "json/text.h"
#include "schema/causes.h"
#include "schema/metadata.h"

namespace portico::schema {
namespace {

using json::Member;
using json::Value;

enum class Shape { kText, kInteger, kFlag, kTime, kTexts, kMap, kOwners, kManagers, kAnything };

struct Field {
  std::string_view name;
  Shape shape;
};

constexpr Field kMetaFields[] = {{"annotations", Shape::kMap},
                                 {"creationTimestamp", Shape::kTime},
                                 {"deletionGracePeriodSeconds", Shape::kInteger},
                                 {"deletionTimestamp", Shape::kTime},
                                 {"finalizers", Shape::kTexts},
                                 {"generateName", Shape::kText},
                                 {"generation", Shape::kInteger},
                                 {"labels", Shape::kMap},
                                 {"managedFields", Shape::kManagers},
                                 {"name", Shape::kText},
                                 {"namespace", Shape::kText},
                                 {"ownerReferences", Shape::kOwners},
                                 {"resourceVersion", Shape::kText},
                                 {"selfLink", Shape::kText},
                                 {"uid", Shape::kText}};
constexpr Field kOwnerFields[] = {
    {"apiVersion", Shape::kText}, {"blockOwnerDeletion", Shape::kFlag},
    {"controller", Shape::kFlag}, {"kind", Shape::kText},
    {"name", Shape::kText},       {"uid", Shape::kText}};
constexpr Field kManagerFields[] = {{"apiVersion", Shape::kText},   {"fieldsType", Shape::kText},
                                    {"fieldsV1", Shape::kAnything}, {"manager", Shape::kText},
                                    {"operation", Shape::kText},    {"subresource", Shape::kText},
                                    {"time", Shape::kTime}};

const Field* find(std::span<const Field> fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& each) { return each.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

/// Go's name of a JSON type.
std::string_view json_type(const Value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_array()) return "array";
  return value.is_object() ? "object" : "number";
}

/// Reads one ObjectMeta; `fault` describes the first member with a wrong type like Go's decoder.
class MetaReader {
 public:
  MetaReader(Path& path, std::vector<std::string>& unknown) : path_(path), unknown_(unknown) {}

  Value read(const Value& value) { return fields(value, kMetaFields, "ObjectMeta"); }
  std::string fault;

 private:
  Value fields(const Value& value, std::span<const Field> known, std::string_view type);
  Value field(const Value& value, const Field& field, std::string_view type);
  Value list(const Value& value, std::span<const Field> known, std::string_view type);
  void refuse(const Value& value, std::string_view type, std::string_view name,
              std::string_view wanted) {
    if (fault.empty())
      fault = fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}",
                          json_type(value), type, name, wanted);
  }

  Path& path_;
  std::vector<std::string>& unknown_;
};

bool is_empty(const Value& value) {
  switch (value.type()) {
    case Value::Type::kNull:
      return true;
    case Value::Type::kString:
      return value.as_string().empty();
    case Value::Type::kBool:
      return false;  // a pointer in Go: false counts as set
    case Value::Type::kArray:
    case Value::Type::kObject:
      return value.empty();
    default:
      return value.as_double() == 0;
  }
}

Value MetaReader::fields(const Value& value, std::span<const Field> known, std::string_view type) {
  std::vector<Member> out;
  for (const Member& member : value.members()) {
    Path::Mark mark(path_);
    path_.child(member.name());
    const Field* one = find(known, member.name());
    if (one == nullptr) {
      unknown_.push_back(path_.raw());
      continue;
    }
    Value read = field(member.value, *one, type);
    if (!is_empty(read)) out.push_back({member.key, std::move(read)});
  }
  return Value::object(std::move(out));
}

Value MetaReader::list(const Value& value, std::span<const Field> known, std::string_view type) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    Path::Mark mark(path_);
    path_.index(i);
    if (!value[i].is_object() && !value[i].is_null())
      refuse(value[i], "ObjectMeta", path_.raw(), fmt::format("v1.{}", type));
    out.push_back(fields(value[i], known, type));
  }
  return Value::array(std::move(out));
}

Value MetaReader::field(const Value& value, const Field& field, std::string_view type) {
  if (value.is_null()) return value;
  const auto need = [&](bool fits, std::string_view wanted) {
    if (!fits) refuse(value, type, field.name, wanted);
    return fits;
  };
  switch (field.shape) {
    case Shape::kText:
    case Shape::kTime:
      need(value.is_string(), "string");
      return value;
    case Shape::kInteger:
      need(value.is_number(), "int64");
      return value;
    case Shape::kFlag:
      need(value.is_bool(), "bool");
      return value;
    case Shape::kTexts:
      if (need(value.is_array(), "[]string"))
        for (const Value& item : value.items())
          if (!item.is_string()) refuse(item, type, field.name, "string");
      return value;
    case Shape::kMap:
      if (need(value.is_object(), "map[string]string"))
        for (const Member& member : value.members())
          if (!member.value.is_string() && !member.value.is_null())
            refuse(member.value, type, field.name, "string");
      return value;
    case Shape::kOwners:
      return need(value.is_array(), "[]v1.OwnerReference")
                 ? list(value, kOwnerFields, "OwnerReference")
                 : value;
    case Shape::kManagers:
      return need(value.is_array(), "[]v1.ManagedFieldsEntry")
                 ? list(value, kManagerFields, "ManagedFieldsEntry")
                 : value;
    case Shape::kAnything:
      return value;
  }
  return value;
}

class Coercer {
 public:
  Result<Value> walk(const Node& node, const Value& value, bool is_resource);
  std::vector<std::string> take() { return std::move(unknown_); }

 private:
  Result<Value> resource(const Value& value);
  Error refuse(const Value& value, std::string_view detail) const {
    return invalid("{}", line(invalid_value(path_.text(), value, detail)));
  }

  Path path_;
  std::vector<std::string> unknown_;
};

Result<Value> Coercer::resource(const Value& value) {
  Value out = value;
  for (const char* field : {"apiVersion", "kind"}) {
    Path::Mark mark(path_);
    path_.child(field);
    const Value* text = value.find(field);
    if (text != nullptr && !text->is_string()) return refuse(*text, "must be a string");
  }
  const Value* metadata = value.find("metadata");
  if (metadata == nullptr) return out;
  Path::Mark mark(path_);
  path_.child("metadata");
  if (metadata->is_null()) return out.without("metadata");
  if (!metadata->is_object())
    return refuse(*metadata, fmt::format("json: cannot unmarshal {} into Go value of type "
                                         "v1.ObjectMeta",
                                         json_type(*metadata)));
  MetaReader reader(path_, unknown_);
  Value read = reader.read(*metadata);
  if (!reader.fault.empty()) return refuse(*metadata, reader.fault);
  return read == *metadata ? out : out.with("metadata", std::move(read));
}

Result<Value> Coercer::walk(const Node& node, const Value& value, bool is_resource) {
  Value out = value;
  if (is_resource && value.is_object()) {
    PORTICO_TRY(out, resource(value));
  }
  if (node.items)
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      Path::Mark mark(path_);
      path_.index(i);
      PORTICO_TRY(Value item, walk(*node.items, value[i], node.items->embedded_resource));
      if (!item.same_as(value[i])) out = out.with_item(i, std::move(item));
    }
  for (const Member& member : value.members()) {
    if (is_resource &&
        (member.name() == "metadata" || member.name() == "kind" || member.name() == "apiVersion"))
      continue;
    if (member.value.empty()) continue;  // mostly scalars
    const Node* schema = node.member(member.name());
    if (schema == nullptr) continue;
    Path::Mark mark(path_);
    if (node.property(member.name()) != nullptr) {
      path_.child(member.name());
    } else {
      path_.key(member.name());
    }
    PORTICO_TRY(Value inside, walk(*schema, member.value, schema->embedded_resource));
    if (!inside.same_as(member.value)) out = out.with(member.name(), std::move(inside));
  }
  return out;
}

}  // namespace

Result<Coerced> coerce_metadata(const Value& object, const Schema& schema) {
  Coercer coercer;
  PORTICO_TRY(Value value, coercer.walk(*schema, object, true));
  return Coerced{std::move(value), coercer.take()};
}

}  // namespace portico::schema
