#include <algorithm>

#include "base/spelling.h"
#include "resources/internal/lower.h"
#include "resources/resources.h"
#include "resources/type_names.h"

namespace portico::resources {

using internal::lower;
using json::Value;

namespace {

// Kubernetes' own kinds, known even if there are no objects of them.
struct Known {
  std::string_view group, kind;
  std::vector<std::string_view> short_names;
};

const std::vector<Known>& kubernetes() {
  static const std::vector<Known> kAll{
      {"", "ConfigMap", {"cm"}},
      {"", "Namespace", {"ns"}},
      {"", "Secret", {}},
      {"", "ServiceAccount", {"sa"}},
      {"apiextensions.k8s.io", "CustomResourceDefinition", {"crd", "crds"}},
      {"coordination.k8s.io", "Lease", {}},
      {"rbac.authorization.k8s.io", "ClusterRole", {}},
      {"rbac.authorization.k8s.io", "ClusterRoleBinding", {}},
      {"rbac.authorization.k8s.io", "Role", {}},
      {"rbac.authorization.k8s.io", "RoleBinding", {}},
  };
  return kAll;
}

}  // namespace

std::vector<std::string_view> short_names(const krm::GroupKind& kind) {
  if (const Resource* resource = find(kind)) return resource->short_names;
  for (const Known& each : kubernetes())
    if (each.group == kind.group && each.kind == kind.kind) return each.short_names;
  return {};
}

bool is_always_there(const krm::GroupKind& kind) {
  if (find(kind) != nullptr) return true;
  return std::any_of(kubernetes().begin(), kubernetes().end(), [&](const Known& each) {
    return each.group == kind.group && each.kind == kind.kind;
  });
}

Value open_definition(const krm::GroupKind& kind, std::string_view version) {
  const std::string many = plural(kind);
  const Value open =
      Value::object({{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}});
  return Value::object(
      {{"apiVersion", "apiextensions.k8s.io/v1"},
       {"kind", "CustomResourceDefinition"},
       {"metadata", Value::object({{"name", many + "." + kind.group}})},
       {"spec",
        Value::object(
            {{"group", kind.group},
             {"names", Value::object({{"kind", kind.kind},
                                      {"listKind", kind.kind + "List"},
                                      {"plural", many},
                                      {"singular", lower(kind.kind)}})},
             {"scope", "Namespaced"},
             {"versions", Value::array({Value::object(
                              {{"name", version},
                               {"served", true},
                               {"storage", true},
                               {"schema", Value::object({{"openAPIV3Schema", open}})}})})}})}});
}

std::vector<krm::GroupKind> kinds_of_all() {
  std::vector<krm::GroupKind> out;
  for (const Resource& each : all())
    if (each.in_all) out.push_back(each.kind);
  return out;
}

std::string plural(const krm::GroupKind& kind) {
  if (const Resource* resource = find(kind)) return resource->plural;
  std::string out = lower(kind.kind);
  const auto ends_in_vowel_and_y = [&] {
    return out.size() > 1 &&
           std::string_view("aeiou").find(out[out.size() - 2]) != std::string::npos;
  };
  if (out.ends_with("y") && !ends_in_vowel_and_y()) return out.substr(0, out.size() - 1) + "ies";
  if (out.ends_with("s") || out.ends_with("x") || out.ends_with("ch")) return out + "es";
  return out + "s";
}

std::vector<std::string> type_names() {
  std::vector<std::string> out;
  const auto add = [&](const krm::GroupKind& kind) {
    out.push_back(lower(kind.kind));
    out.push_back(plural(kind));
    for (const std::string_view name : short_names(kind)) out.emplace_back(name);
  };
  for (const Resource& each : all())
    if (each.stored) add(each.kind);
  for (const Known& each : kubernetes()) add({std::string(each.group), std::string(each.kind)});
  return out;
}

Result<krm::GroupKind> find_kind(std::string_view written,
                                 const std::vector<krm::GroupKind>& present) {
  const std::string asked = lower(written);
  const auto matches = [&](const krm::GroupKind& kind) {
    for (const std::string& name : {lower(kind.kind), plural(kind)})
      if (asked == name || (!kind.group.empty() && asked == name + "." + kind.group)) return true;
    return false;
  };
  // kubectl's RESOURCE.VERSION.GROUP: all versions of a kind are the same objects.
  const auto has_version = [&](const Resource& each) {
    return std::any_of(each.versions.begin(), each.versions.end(), [&](std::string_view version) {
      return asked == fmt::format("{}.{}.{}", each.plural, version, each.kind.group);
    });
  };
  std::vector<std::string> known;
  for (const Resource& each : all()) {
    if (!each.stored) continue;
    const auto& names = each.short_names;
    if (matches(each.kind) || has_version(each) ||
        std::find(names.begin(), names.end(), asked) != names.end())
      return each.kind;
    known.push_back(each.plural);
  }
  const auto is_one = [&](const krm::GroupKind& kind) {
    const auto names = short_names(kind);
    return matches(kind) || std::find(names.begin(), names.end(), asked) != names.end();
  };
  for (const krm::GroupKind& kind : present) {
    if (is_one(kind)) return kind;
    known.push_back(plural(kind));
  }
  for (const Known& each : kubernetes()) {
    const krm::GroupKind kind{std::string(each.group), std::string(each.kind)};
    if (is_one(kind)) return kind;
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<std::string_view> names(known.begin(), known.end());
  for (const Resource& each : all())
    if (each.stored) names.insert(names.end(), each.short_names.begin(), each.short_names.end());
  return invalid("the server doesn't have a resource type \"{}\"{}; it has {}", written,
                 hint(asked, names), fmt::join(known, ", "));
}

std::optional<krm::GroupKind> defined_kind(std::string_view written,
                                           const std::vector<Value>& definitions) {
  const std::string asked = lower(written);
  for (const Value& definition : definitions) {
    const Value &spec = definition["spec"], &names = spec["names"];
    const std::string_view group = spec["group"].as_string();
    const auto is = [&](std::string_view name) {
      return asked == name || asked == fmt::format("{}.{}", name, group);
    };
    bool found = is(names["plural"].as_string()) || is(names["singular"].as_string());
    for (const Value& name : names["shortNames"].items()) found |= is(name.as_string());
    if (found) return krm::GroupKind{std::string(group), std::string(names["kind"].as_string())};
  }
  return std::nullopt;
}

std::string name_line(const Value& object) {
  const krm::GroupKind kind = krm::group_kind(object);
  return lower(kind.kind) + (kind.group.empty() ? "" : "." + kind.group) + "/" +
         std::string(krm::name_of(object));
}

}  // namespace portico::resources
