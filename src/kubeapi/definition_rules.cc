#include "kubeapi/definition_rules.h"

#include <algorithm>
#include <array>
#include <set>

#include "jsonpath/path.h"
#include "krm/meta.h"
#include "schema/causes.h"
#include "schema/metadata.h"
#include "schema/rules.h"
#include "schema/schema.h"
#include "schema/structural.h"

namespace portico::kubeapi {

using json::Value;
using schema::NameRule;
using Causes = std::vector<Cause>;

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view storage_version(const Value& definition) {
  for (const Value& version : definition["spec"]["versions"].items())
    if (version["storage"].as_bool()) return version["name"].as_string();
  return "";
}

bool has_text(const Value& list, std::string_view text) {
  const auto items = list.items();
  return std::any_of(items.begin(), items.end(),
                     [text](const Value& one) { return one.as_string() == text; });
}

void check_label(const std::string& place, std::string_view text, Causes& causes) {
  if (const std::string fault = schema::name_fault(text, NameRule::kLetterLabel); !fault.empty())
    causes.push_back(schema::invalid_value(place, Value(text), fault));
}

void check_names(const Value& names, Causes& causes) {
  const std::string place = "spec.names.";
  for (const char* field : {"plural", "singular"}) {
    const std::string_view text = names[field].as_string();
    if (text.empty())
      causes.push_back(schema::required_value(place + field));
    else
      check_label(place + field, text, causes);
  }
  for (const char* field : {"kind", "listKind"}) {
    const std::string_view text = names[field].as_string();
    if (text.empty()) {
      causes.push_back(schema::required_value(place + field));
    } else if (const std::string fault = schema::name_fault(lower(text), NameRule::kLetterLabel);
               !fault.empty()) {
      causes.push_back(schema::invalid_value(
          place + field, Value(text),
          fmt::format("may have mixed case, but should otherwise match: {}", fault)));
    }
  }
  if (!names["kind"].as_string().empty() && names["kind"] == names["listKind"])
    causes.push_back(schema::invalid_value(place + "listKind", names["listKind"],
                                           "kind and listKind may not be the same"));
  for (const char* field : {"shortNames", "categories"})
    for (std::size_t i = 0; i < names[field].size(); ++i)
      check_label(fmt::format("{}{}[{}]", place, field, i), names[field][i].as_string(), causes);
}

void check_group(const Value& definition, Causes& causes) {
  const std::string_view group = definition["spec"]["group"].as_string();
  if (group.empty()) {
    causes.push_back(schema::required_value("spec.group"));
    return;
  }
  if (const std::string fault = schema::name_fault(group, NameRule::kSubdomain); !fault.empty())
    causes.push_back(schema::invalid_value("spec.group", Value(group), fault));
  else if (group.find('.') == std::string_view::npos)
    causes.push_back(schema::invalid_value("spec.group", Value(group),
                                           "should be a domain with at least one dot"));
  constexpr std::string_view kApproved = "api-approved.kubernetes.io";
  if ((group.ends_with(".k8s.io") || group.ends_with(".kubernetes.io")) &&
      definition["metadata"]["annotations"][kApproved].as_string().empty())
    causes.push_back(schema::required_value(
        fmt::format("metadata.annotations[{}]", kApproved),
        "protected groups must have approval annotation \"api-approved.kubernetes.io\", see "
        "https://github.com/kubernetes/enhancements/pull/1111"));
}

void check_columns(const Value& columns, const std::string& place, Causes& causes) {
  static const std::array<std::string, 5> kTypes = {"boolean", "date", "integer", "number",
                                                    "string"};
  static const std::array<std::string, 9> kFormats = {
      "byte", "date", "date-time", "double", "float", "int32", "int64", "name", "password"};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Value& column = columns[i];
    const std::string at = fmt::format("{}.additionalPrinterColumns[{}].", place, i);
    if (column["name"].as_string().empty()) causes.push_back(schema::required_value(at + "name"));
    const std::string type(column["type"].as_string()), format(column["format"].as_string());
    if (type.empty())
      causes.push_back(schema::required_value(at + "type"));
    else if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end())
      causes.push_back(schema::unsupported_value(at + "type", column["type"], kTypes));
    if (!format.empty() && std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end())
      causes.push_back(schema::unsupported_value(at + "format", column["format"], kFormats));
    const std::string_view path = column["jsonPath"].as_string();
    if (path.empty())
      causes.push_back(schema::required_value(at + "jsonPath"));
    else if (const auto parsed = jsonpath::Path::parse(path); !parsed)
      causes.push_back(
          schema::invalid_value(at + "jsonPath", column["jsonPath"], parsed.error().text()));
  }
}

// Whether the path consists of plain names below a root, like ".spec.replicas".
bool is_plain_path(std::string_view path, std::string_view root) {
  if (!path.starts_with(root)) return false;
  path.remove_prefix(root.size());
  if (path.size() < 2 || path.front() != '.' || path.back() == '.') return false;
  return path.find("..") == std::string_view::npos &&
         path.find_first_of("[]*?@'\"()") == std::string_view::npos;
}

void check_scale(const Value& scale, const std::string& place, Causes& causes) {
  const std::string at = place + ".subresources.scale.";
  const auto check = [&](const char* field, bool needed,
                         std::initializer_list<std::string_view> roots, std::string_view why) {
    const std::string_view path = scale[field].as_string();
    if (path.empty()) {
      if (needed) causes.push_back(schema::required_value(at + field));
      return;
    }
    if (std::none_of(roots.begin(), roots.end(),
                     [path](std::string_view root) { return is_plain_path(path, root); }))
      causes.push_back(schema::invalid_value(at + field, scale[field], why));
  };
  check("specReplicasPath", true, {".spec"}, "should be a json path under .spec");
  check("statusReplicasPath", true, {".status"}, "should be a json path under .status");
  check("labelSelectorPath", false, {".spec", ".status"},
        "should be a json path under either .spec or .status");
}

void check_schema(const Value& value, const std::string& place, Causes& causes) {
  const auto parsed = schema::parse(value);
  if (!parsed) {
    causes.push_back(schema::invalid_value(place, Value(), parsed.error().text()));
    return;
  }
  Causes found = schema::structural_causes(*parsed, place);
  if (found.empty()) found = schema::rule_causes(*parsed, place);
  causes.insert(causes.end(), std::make_move_iterator(found.begin()),
                std::make_move_iterator(found.end()));
}

void check_schemas(const Value& definition, const Value& old, Causes& causes) {
  const auto versions = definition["spec"]["versions"].items();
  const auto schema_of = [](const Value& version) -> const Value& {
    return version["schema"]["openAPIV3Schema"];
  };
  for (std::size_t i = 0; i < versions.size(); ++i)
    if (!schema_of(versions[i]).is_object() &&
        !definition["spec"]["preserveUnknownFields"].as_bool())
      causes.push_back(
          schema::required_value(fmt::format("spec.versions[{}].schema.openAPIV3Schema", i)));
  const bool one_for_all = std::all_of(versions.begin(), versions.end(), [&](const Value& version) {
    return schema_of(version) == schema_of(versions.front());
  });
  // An unchanged schema was validated when it was stored.
  const auto is_new = [&](const Value& version) {
    for (const Value& before : old["spec"]["versions"].items())
      if (before["name"] == version["name"]) return schema_of(before) != schema_of(version);
    return true;
  };
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (!schema_of(versions[i]).is_object() || !is_new(versions[i])) continue;
    check_schema(schema_of(versions[i]),
                 one_for_all ? "spec.validation.openAPIV3Schema"
                             : fmt::format("spec.versions[{}].schema.openAPIV3Schema", i),
                 causes);
    if (one_for_all) break;
  }
}

// Go's print of the internal type, in which a schema common to all versions is not part of a
// version.
std::string go_versions(const Value& versions) {
  std::string out;
  for (const Value& version : versions.items())
    out += fmt::format(
        "{}{{\"Name\":{},\"Served\":{},\"Storage\":{},\"Deprecated\":{},"
        "\"DeprecationWarning\":null,\"Schema\":null,\"Subresources\":null,"
        "\"AdditionalPrinterColumns\":null,\"SelectableFields\":null}}",
        out.empty() ? "" : ",", schema::go_quoted(version["name"].as_string()),
        version["served"].as_bool(), version["storage"].as_bool(), version["deprecated"].as_bool());
  return "[" + out + "]";
}

void check_versions(const Value& definition, Causes& causes) {
  const Value& versions = definition["spec"]["versions"];
  std::set<std::string_view> names;
  std::size_t stored = 0;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const Value& version = versions[i];
    const std::string place = fmt::format("spec.versions[{}]", i);
    names.insert(version["name"].as_string());
    if (version["storage"].as_bool()) ++stored;
    check_label(place + ".name", version["name"].as_string(), causes);
    check_columns(version["additionalPrinterColumns"], place, causes);
    if (const Value* scale = version["subresources"].find("scale"))
      check_scale(*scale, place, causes);
    for (std::size_t j = 0; j < version["selectableFields"].size(); ++j) {
      const Value& path = version["selectableFields"][j]["jsonPath"];
      if (!is_plain_path(path.as_string(), ""))
        causes.push_back(
            schema::invalid_value(fmt::format("{}.selectableFields[{}].jsonPath", place, j), path,
                                  "is an invalid path: must be a simple path of fields"));
    }
  }
  const auto wrong = [&](std::string_view why) {
    causes.push_back({"FieldValueInvalid",
                      fmt::format("Invalid value: {}: {}", go_versions(versions), why),
                      "spec.versions"});
  };
  if (names.size() != versions.size()) wrong("must contain unique version names");
  if (stored != 1) wrong("must have exactly one version marked as storage version");
}

void check_stored_versions(const Value& definition, Causes& causes) {
  const Value& kept = definition["status"]["storedVersions"];
  const std::string place = "status.storedVersions";
  if (kept.empty()) {
    causes.push_back(
        schema::invalid_value(place, Value(), "must have at least one stored version"));
    return;
  }
  std::set<std::string_view> left;
  for (const Value& name : kept.items()) left.insert(name.as_string());
  for (const Value& version : definition["spec"]["versions"].items()) {
    const std::string_view name = version["name"].as_string();
    const bool is_kept = left.erase(name) > 0;
    if (version["storage"].as_bool() && !is_kept)
      causes.push_back(schema::invalid_value(
          place, kept, fmt::format("must have the storage version {}", name)));
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (left.contains(kept[i].as_string()))
      causes.push_back(schema::invalid_value(fmt::format("{}[{}]", place, i), kept[i],
                                             "must appear in spec.versions"));
}

void check_unchanged(const Value& definition, const Value& old, Causes& causes) {
  if (old.is_null()) return;
  const auto check = [&](std::initializer_list<std::string_view> path, const char* place) {
    const Value *now = &definition["spec"], *before = &old["spec"];
    for (const std::string_view part : path) {
      now = &(*now)[part];
      before = &(*before)[part];
    }
    if (*now != *before) causes.push_back(schema::invalid_value(place, *now, "field is immutable"));
  };
  check({"group"}, "spec.group");
  check({"names", "plural"}, "spec.names.plural");
  if (!is_established(old)) return;
  check({"scope"}, "spec.scope");
  check({"names", "kind"}, "spec.names.kind");
}

}  // namespace

Value empty_definition() {
  const Value names = Value::object({{"plural", ""}, {"kind", ""}});
  return Value::object(
      {{"spec",
        Value::object({{"group", ""}, {"names", names}, {"scope", ""}, {"versions", Value()}})},
       {"status",
        Value::object(
            {{"conditions", Value()}, {"acceptedNames", names}, {"storedVersions", Value()}})}});
}

Value with_definition_defaults(const Value& definition) {
  Value out = definition;
  const Value& names = out["spec"]["names"];
  const std::string kind(names["kind"].as_string());
  if (names["singular"].as_string().empty() && !kind.empty())
    out = out.with_at({"spec", "names", "singular"}, lower(kind));
  if (out["spec"]["names"]["listKind"].as_string().empty() && !kind.empty())
    out = out.with_at({"spec", "names", "listKind"}, kind + "List");
  if (out["spec"]["conversion"]["strategy"].as_string().empty())
    out = out.with_at({"spec", "conversion", "strategy"}, "None");
  if (out["status"].empty()) out = out.with("status", empty_definition()["status"]);
  const Value& stored = out["status"]["storedVersions"];
  const std::string_view version = storage_version(out);
  if (!version.empty() && !has_text(stored, version))
    out = out.with_at({"status", "storedVersions"}, stored.with_appended(Value(version)));
  return out;
}

Causes definition_causes(const Value& definition, const Value& old) {
  Causes causes;
  const Value& spec = definition["spec"];
  const Value& names = spec["names"];
  if (krm::name_of(definition) !=
      fmt::format("{}.{}", names["plural"].as_string(), spec["group"].as_string()))
    causes.push_back(schema::invalid_value("metadata.name", Value(krm::name_of(definition)),
                                           "must be spec.names.plural+\".\"+spec.group"));
  check_group(definition, causes);
  static const std::array<std::string, 2> kScopes = {"Cluster", "Namespaced"};
  const std::string_view scope = spec["scope"].as_string();
  if (scope.empty())
    causes.push_back(schema::required_value("spec.scope"));
  else if (scope != kScopes[0] && scope != kScopes[1])
    causes.push_back(schema::unsupported_value("spec.scope", spec["scope"], kScopes));
  if (spec["preserveUnknownFields"].as_bool())
    causes.push_back(
        schema::invalid_value("spec.preserveUnknownFields", Value(true), "must be false"));
  // This server does not call webhooks.
  static const std::array<std::string, 1> kStrategies = {"None"};
  if (const Value& strategy = spec["conversion"]["strategy"]; strategy.as_string() != "None")
    causes.push_back(schema::unsupported_value("spec.conversion.strategy", strategy, kStrategies));
  check_names(names, causes);
  check_versions(definition, causes);
  check_schemas(definition, old, causes);
  check_stored_versions(definition, causes);
  check_unchanged(definition, old, causes);
  return causes;
}

}  // namespace portico::kubeapi
