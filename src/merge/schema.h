// What is known about the lists of a kind: the keys that identify their items.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::merge {

/// How two versions of one list are merged.
struct ListRule {
  enum class Kind {
    kAtomic,     // as one value
    kMap,        // item by item, paired by `keys`
    kSet,        // scalars, each present or absent
    kFunctions,  // a Kptfile pipeline without names: paired by what each function runs
  };
  Kind kind = Kind::kAtomic;
  std::vector<std::string> keys;  // of kMap, primary key first
  bool operator==(const ListRule&) const = default;
};

/// The schema at one place of an object: a cursor that moves down with the merge. A value type;
/// borrows the JSON schema that it was made from.
class Schema {
 public:
  Schema() = default;  // nothing is known here or below
  /// The type of a Kubernetes definition, by its name in the published OpenAPI
  /// ("io.k8s.api.core.v1.PodSpec"). Unknown if the table has no list for it.
  static Schema definition(std::string_view name);
  /// A schema from a CRD (apiextensions.k8s.io/v1 JSONSchemaProps). A "$ref" to
  /// "#/definitions/NAME" resolves to definition(NAME). Besides the API server's extensions,
  /// "x-portico-list-type": "functions" selects ListRule::Kind::kFunctions.
  static Schema json(const json::Value& schema);
  /// False if there is no schema for this place, so that a key may be inferred from the data.
  bool known() const { return source_ != Source::kUnknown; }
  Schema field(std::string_view name) const;
  Schema item() const;
  /// kAtomic if the schema is known and names no key.
  ListRule list_rule() const;

 private:
  enum class Source : std::uint8_t {
    kUnknown,
    kObject,  // an unknown kind, which still has metadata
    kType,    // a Kubernetes type of the table; "" is a type without a list to merge
    kList,    // a list with a rule; its items are of type_
    kJson,
  };
  friend class Schemas;
  static Schema type(std::string_view name);
  static Schema list(ListRule rule);

  Source source_ = Source::kUnknown;
  std::string_view type_;                       // static text
  const portico::json::Value* json_ = nullptr;  // of kJson
  ListRule rule_;                               // of kList
};

/// The schemas of kinds: the built-in ones of Kubernetes, and those of the CRDs of a package.
class Schemas {
 public:
  /// Adds the schemas of every version of a CustomResourceDefinition; a later one replaces an
  /// earlier one for the same kind and version. Ignores anything else and CRDs without a schema.
  void add_crd(const json::Value& object);
  /// Adds the CRDs of a package's files. Ignores files that do not parse.
  void add_crds(const krm::Package& package);
  /// The root schema of an object of this kind; `metadata` is known for every kind. CRDs take
  /// precedence over the built-in table.
  Schema of(const krm::ResourceId& id, std::string_view version) const;
  /// The same for an object. Unknown if it is not a KRM resource.
  Schema of(const krm::Object& object) const;

 private:
  struct Kind {
    std::string group, version, kind;
    auto operator<=>(const Kind&) const = default;
  };
  std::map<Kind, json::Value> crds_;
};

/// The key that kyaml infers for a list without a schema: "name", if every item of the list is a
/// map in which "name" is a scalar.
std::optional<std::string> inferred_key(const json::Value& list);

}  // namespace portico::merge
