#include "functions/internal/custom_schema.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "functions/internal/text_format.h"
#include "functions/internal/value_type.h"
#include "json/text.h"

namespace portico::functions {

namespace {

using json::Value;

constexpr char kPreserve[] = "x-kubernetes-preserve-unknown-fields";
constexpr char kIntOrString[] = "x-kubernetes-int-or-string";
constexpr char kEmbedded[] = "x-kubernetes-embedded-resource";

std::pair<std::string, std::string> group_and_version(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", std::string(api_version)};
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1))};
}

bool is_of_type(const Value& value, std::string_view type) {
  if (type == "integer") return is_whole(value);
  if (type == "number") return value.is_number();
  return type.empty() || name_of_type(value) == type;
}

/// Length in characters.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool is_multiple(double value, double of) {
  if (of == 0) return true;
  const double quotient = value / of;
  return std::fabs(quotient - std::nearbyint(quotient)) < 1e-9;
}

bool fits(const Value& value, std::string_view format) {
  if (format != "int32") return true;
  const double number = value.as_double();
  return number >= std::numeric_limits<std::int32_t>::min() &&
         number <= std::numeric_limits<std::int32_t>::max();
}

const Value* schema_of(const Value& schema, std::string_view name) {
  if (const Value* field = schema["properties"].find(name)) return field;
  const Value& others = schema["additionalProperties"];
  return others.is_object() ? &others : nullptr;
}

/// The value as the server admits it: with defaults, and without nulls where none are allowed.
Value taken_in(const Value& schema, const Value& value) {
  if (value.is_array() && schema["items"].is_object()) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(taken_in(schema["items"], item));
    return Value::array(std::move(items));
  }
  if (!value.is_object()) return value;
  Value taken = value;
  for (const json::Member& field : schema["properties"].members()) {
    const Value* given = value.find(field.name());
    if (given != nullptr && (!given->is_null() || field.value["nullable"].as_bool())) continue;
    if (const Value* fallback = field.value.find("default"))
      taken = taken.with(field.name(), *fallback);
  }
  const Value whole = taken;
  for (const json::Member& member : whole.members()) {
    const Value* field = schema_of(schema, member.name());
    if (field == nullptr) continue;
    taken = member.value.is_null() && !(*field)["nullable"].as_bool()
                ? taken.without(member.name())
                : taken.with(member.name(), taken_in(*field, member.value));
  }
  return taken;
}

/// Checks one resource against its schema.
class CustomCheck {
 public:
  explicit CustomCheck(bool strict) : strict_(strict) {}

  void resource(const Value& schema, const Value& value) {
    check(schema, taken_in(schema, value), true);
  }
  std::vector<SchemaError> take() { return std::move(errors_); }

 private:
  void check(const Value& schema, const Value& value, bool is_root) {
    if (value.is_null() && schema["nullable"].as_bool()) return;
    if (!check_type(schema, value)) return;
    const bool is_resource = is_root || schema[kEmbedded].as_bool();
    check_value(schema, value);
    if (value.is_object()) check_members(schema, value, is_resource, is_root);
    if (value.is_array()) check_list(schema, value);
    check_alternatives(schema, value);
    for (const json::Member& member : value.members()) {
      const Value* field = schema_of(schema, member.name());
      if (field == nullptr) continue;
      if (is_resource && is_object_field(member.name())) continue;
      step(std::string(member.name()), *field, member.value);
    }
    const Value& item = schema["items"];
    for (std::size_t i = 0; i < value.items().size(); ++i)
      if (item.is_object()) step(i, item, value.items()[i]);
    if (is_resource && value["metadata"].is_object()) check_metadata(value["metadata"]);
  }

  static bool is_object_field(std::string_view name) {
    return name == "apiVersion" || name == "kind" || name == "metadata";
  }

  bool check_type(const Value& schema, const Value& value) {
    if (schema[kIntOrString].as_bool()) {
      if (value.is_string() || is_whole(value)) return true;
      add("Must validate at least one schema (anyOf)");
      return false;
    }
    const std::string_view type = schema["type"].as_string();
    if (is_of_type(value, type)) return true;
    add(fmt::format(
        "Invalid type. Expected: {}, given: {}",
        schema["nullable"].as_bool() ? fmt::format("[{},null]", type) : std::string(type),
        name_of_type(value)));
    return false;
  }

  void check_value(const Value& schema, const Value& value) {
    const Value& allowed = schema["enum"];
    if (allowed.is_array() &&
        std::find(allowed.items().begin(), allowed.items().end(), value) == allowed.items().end()) {
      std::string words;
      for (const Value& one : allowed.items())
        words += (words.empty() ? "" : ", ") + json::print(one);
      add(fmt::format("{} must be one of the following: {}",
                      path_.empty() ? "(root)" : krm::path_text(path_), words));
    }
    if (value.is_string()) check_text(schema, value.as_string());
    if (value.is_number()) check_number(schema, value);
  }

  void check_text(const Value& schema, std::string_view text) {
    const auto length = static_cast<double>(length_of(text));
    if (const Value& least = schema["minLength"]; least.is_number() && length < least.as_double())
      add(fmt::format("String length must be greater than or equal to {}", json::print(least)));
    if (const Value& most = schema["maxLength"]; most.is_number() && length > most.as_double())
      add(fmt::format("String length must be less than or equal to {}", json::print(most)));
    if (const std::string_view pattern = schema["pattern"].as_string();
        !pattern.empty() && !matches(text, std::string(pattern)))
      add(fmt::format("Does not match pattern '{}'", pattern));
    if (const std::string_view format = schema["format"].as_string(); !has_format(text, format))
      add(fmt::format("Does not match format '{}'", format));
  }

  void check_number(const Value& schema, const Value& value) {
    const double number = value.as_double();
    if (const Value& least = schema["minimum"]; least.is_number()) {
      const bool exclusive = schema["exclusiveMinimum"].as_bool();
      if (exclusive ? number <= least.as_double() : number < least.as_double())
        add(fmt::format("Must be greater than {}{}", exclusive ? "" : "or equal to ",
                        json::print(least)));
    }
    if (const Value& most = schema["maximum"]; most.is_number()) {
      const bool exclusive = schema["exclusiveMaximum"].as_bool();
      if (exclusive ? number >= most.as_double() : number > most.as_double())
        add(fmt::format("Must be less than {}{}", exclusive ? "" : "or equal to ",
                        json::print(most)));
    }
    if (const Value& unit = schema["multipleOf"];
        unit.is_number() && !is_multiple(number, unit.as_double()))
      add(fmt::format("Must be a multiple of {}", json::print(unit)));
    if (const std::string_view format = schema["format"].as_string(); !fits(value, format))
      add(fmt::format("Does not match format '{}'", format));
  }

  void check_members(const Value& schema, const Value& value, bool is_resource, bool is_root) {
    for (const Value& name : schema["required"].items()) {
      const std::string_view field = name.as_string();
      if (!value.contains(field)) add_at(std::string(field), fmt::format("{} is required", field));
    }
    if (is_resource && !is_root)
      for (const char* field : {"apiVersion", "kind"})
        if (value[field].as_string().empty()) add_at(field, fmt::format("{} is required", field));
    const auto count = static_cast<double>(value.size());
    if (const Value& least = schema["minProperties"];
        least.is_number() && count < least.as_double())
      add(fmt::format("Must have at least {} properties", json::print(least)));
    if (const Value& most = schema["maxProperties"]; most.is_number() && count > most.as_double())
      add(fmt::format("Must have at most {} properties", json::print(most)));
    if (!strict_ || schema[kPreserve].as_bool() || schema["additionalProperties"].as_bool()) return;
    for (const json::Member& member : value.members()) {
      if (schema_of(schema, member.name()) != nullptr) continue;
      if (is_resource && is_object_field(member.name())) continue;
      add_at(std::string(member.name()),
             fmt::format("Additional property {} is not allowed", member.name()));
    }
  }

  void check_list(const Value& schema, const Value& value) {
    const auto count = static_cast<double>(value.size());
    if (const Value& least = schema["minItems"]; least.is_number() && count < least.as_double())
      add(fmt::format("Array must have at least {} items", json::print(least)));
    if (const Value& most = schema["maxItems"]; most.is_number() && count > most.as_double())
      add(fmt::format("Array must have at most {} items", json::print(most)));
    const std::string_view type = schema["x-kubernetes-list-type"].as_string();
    if (type != "set" && type != "map" && !schema["uniqueItems"].as_bool()) return;
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const auto [first, is_new] =
          seen.emplace(type == "map" ? keys_text(schema, value[i]) : json::print(value[i]), i);
      if (!is_new) add(fmt::format("array items[{},{}] must be unique", first->second, i));
    }
  }

  /// The key values of an item of a list of type "map".
  static std::string keys_text(const Value& schema, const Value& item) {
    std::string text;
    for (const Value& key : schema["x-kubernetes-list-map-keys"].items()) {
      const Value* value = item.find(key.as_string());
      const Value& fallback = schema["items"]["properties"][key.as_string()]["default"];
      text += json::print(value == nullptr ? fallback : *value) + "\n";
    }
    return text;
  }

  void check_alternatives(const Value& schema, const Value& value) {
    const auto matching = [&](const char* word) {
      std::size_t count = 0;
      for (const Value& one : schema[word].items())
        if (is_valid(one, value)) ++count;
      return count;
    };
    if (const Value& any = schema["anyOf"];
        !any.empty() && !schema[kIntOrString].as_bool() && matching("anyOf") == 0)
      add("Must validate at least one schema (anyOf)");
    if (!schema["oneOf"].empty() && matching("oneOf") != 1)
      add("Must validate one and only one schema (oneOf)");
    if (!schema["allOf"].empty() && matching("allOf") != schema["allOf"].size())
      add("Must validate all the schemas (allOf)");
    if (schema["not"].is_object() && is_valid(schema["not"], value))
      add("Must not validate the schema (not)");
  }

  bool is_valid(const Value& schema, const Value& value) const {
    CustomCheck other(false);
    other.check(schema, value, false);
    return other.errors_.empty();
  }

  void check_metadata(const Value& metadata) {
    static const std::optional<Schema> map = Schema::find("v1", "ConfigMap");
    const auto schema = map ? map->field("metadata") : std::nullopt;
    if (!schema) return;
    path_.emplace_back("metadata");
    for (SchemaError& error : functions::check(*schema, metadata, strict_)) {
      krm::Path whole = path_;
      whole.insert(whole.end(), error.path.begin(), error.path.end());
      errors_.push_back({std::move(whole), std::move(error.message)});
    }
    path_.pop_back();
  }

  /// An invalid pattern is an error in the definition, which the server reports there.
  bool matches(std::string_view text, const std::string& pattern) {
    const auto regex = patterns_.try_emplace(pattern, pattern, re2::RE2::Quiet).first;
    return !regex->second.ok() ||
           re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex->second);
  }

  void step(krm::Step step, const Value& schema, const Value& value) {
    path_.push_back(std::move(step));
    check(schema, value, false);
    path_.pop_back();
  }

  void add(std::string message) { errors_.push_back({path_, std::move(message)}); }
  void add_at(krm::Step step, std::string message) {
    path_.push_back(std::move(step));
    add(std::move(message));
    path_.pop_back();
  }

  const bool strict_;
  krm::Path path_;
  std::vector<SchemaError> errors_;
  std::map<std::string, re2::RE2> patterns_;
};

}  // namespace

CustomKinds::CustomKinds(const std::vector<krm::Item>& items) {
  for (const krm::Item& item : items)
    if (item.object.kind() == "CustomResourceDefinition" &&
        item.object.api_version().starts_with("apiextensions.k8s.io/"))
      add(item.object.value());
}

void CustomKinds::add(const Value& definition) {
  const Value& spec = definition["spec"];
  const bool keeps_unknown =
      definition["apiVersion"].as_string() == "apiextensions.k8s.io/v1beta1" &&
      spec["preserveUnknownFields"] != Value(false);
  Kind& kind = kinds_[{std::string(spec["group"].as_string()),
                       std::string(spec["names"]["kind"].as_string())}];
  const auto serve = [&](const Value& name, const Value& own) {
    const Value& schema = own.is_object() ? own : spec["validation"]["openAPIV3Schema"];
    Value whole = schema.is_object() ? schema : Value::object();
    if (keeps_unknown || !schema.is_object()) whole = whole.with(kPreserve, true);
    kind.versions.emplace_back(name.as_string(), std::move(whole));
  };
  if (spec["versions"].empty()) serve(spec["version"], Value());
  for (const Value& version : spec["versions"].items())
    if (version["served"].as_bool()) serve(version["name"], version["schema"]["openAPIV3Schema"]);
}

const Value* CustomKinds::find(std::string_view api_version, std::string_view kind) const {
  const auto [group, version] = group_and_version(api_version);
  const auto known = kinds_.find({group, std::string(kind)});
  if (known == kinds_.end()) return nullptr;
  for (const auto& [name, schema] : known->second.versions)
    if (name == version) return &schema;
  return nullptr;
}

std::string CustomKinds::served(std::string_view api_version, std::string_view kind) const {
  const auto known = kinds_.find({group_and_version(api_version).first, std::string(kind)});
  std::string names;
  if (known == kinds_.end()) return names;
  for (const auto& [name, schema] : known->second.versions)
    names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::vector<SchemaError> check_custom(const Value& schema, const Value& object, bool strict) {
  CustomCheck check(strict);
  check.resource(schema, object);
  return check.take();
}

}  // namespace portico::functions
