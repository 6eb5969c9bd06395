// The resources of the API, with their names, versions, verbs and columns. Pure.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fieldset/type.h"
#include "json/value.h"
#include "krm/meta.h"
#include "kubeapi/status_error.h"
#include "schema/metadata.h"
#include "schema/rules.h"
#include "schema/schema.h"

namespace portico::kubeapi {

/// metav1.TableColumnDefinition, and the function that computes a cell. `now` is RFC 3339.
struct Column {
  std::string name, type, format, description;
  int priority = 0;
  std::function<json::Value(const json::Value& object, std::string_view now)> cell;
};

/// A subresource other than status and scale, as discovery lists it. Group and version are those of
/// its kind; "" means the resource's own.
struct Subresource {
  std::string name, group, version, kind;
  std::vector<std::string> verbs;
};

/// The paths of a CustomResourceDefinition's scale subresource; "": not set.
struct Scale {
  std::string spec_replicas, status_replicas, label_selector;
};

struct Version {
  std::string name;  // "v1alpha1"
  bool deprecated = false;
  std::string deprecation_warning;  // if deprecated; "": Kubernetes' default text
  schema::Schema schema;            // never empty
  schema::Rules rules;              // compiled from the schema
  fieldset::ObjectType type;        // from the schema: how its values are merged
  std::vector<Column> columns;
  bool has_status = false;                     // the subresource `status`
  bool has_approval = false;                   // the subresource `approval`
  std::vector<Subresource> subresources = {};  // others
  std::optional<Scale> scale = {};
  std::vector<std::string> selectable_fields = {};  // "spec.color"
};

/// Where the objects of a resource come from.
enum class Origin {
  kStored,      // the registry
  kDefinition,  // the registry, by a CustomResourceDefinition
  kPackages,    // package revisions and views of them: written through git
  kComputed,    // not stored: creates are only answered
};

struct ResourceType {
  Named names;  // group, plural, kind
  std::string singular, list_kind;
  std::vector<std::string> short_names = {}, categories = {};
  bool namespaced = true;
  Origin origin = Origin::kStored;
  schema::NameRule name_rule = schema::NameRule::kSubdomain;
  /// The resource's own verbs, as discovery lists them.
  std::vector<std::string> verbs = {};
  std::vector<Version> versions;  // served versions, the preferred one first
  std::string storage_version;
  /// Its definition is being deleted: objects can no longer be created.
  bool terminating = false;

  krm::GroupKind kind() const { return {names.group, names.kind}; }
  const Version* version(std::string_view name) const;
  bool can(std::string_view verb) const;
  /// Whether the kind has metadata.generation: custom resources and definitions.
  bool has_generation() const {
    return origin == Origin::kDefinition || names.kind == "CustomResourceDefinition";
  }
};

/// Kubernetes' version priority: "v2" before "v1", "v1" before "v1beta2", "v1beta1" before
/// "v1alpha1"; other names come last, in alphabetical order.
bool version_before(std::string_view a, std::string_view b);

/// All resources. A value type: modified copies share unchanged parts.
class Catalog {
 public:
  using Type = std::shared_ptr<const ResourceType>;

  Catalog with(Type type) const;
  Catalog without(std::string_view group, std::string_view plural) const;

  /// The resource served at this version, or nullptr.
  Type find(std::string_view group, std::string_view version, std::string_view plural) const;
  Type find(std::string_view group, std::string_view plural) const;
  Type find(const krm::GroupKind& kind) const;

  /// Sorted by name; "" is the core group.
  std::vector<std::string> groups() const;
  /// The served versions of a group, the preferred one first; empty for an unknown group.
  std::vector<std::string> versions(std::string_view group) const;
  /// The resources of a group, sorted by plural.
  std::vector<Type> resources(std::string_view group) const;

 private:
  std::map<std::string, std::map<std::string, Type, std::less<>>, std::less<>> groups_;
};

/// The built-in kinds: core, access, definitions and Portico's own.
Catalog builtin_catalog();

/// The type of an admitted CustomResourceDefinition; nullptr if it serves no version.
Result<Catalog::Type> type_of_definition(const json::Value& definition);

}  // namespace portico::kubeapi
