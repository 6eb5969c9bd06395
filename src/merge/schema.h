// What is known of the lists of a kind: which field tells their items apart.
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

/// How two versions of one list are brought together.
struct ListRule {
  enum class Kind {
    kAtomic,     // as one value
    kMap,        // item by item, paired by `keys`
    kSet,        // scalars, each there or not
    kFunctions,  // a pipeline of a Kptfile without names: paired by what each function runs
  };
  Kind kind = Kind::kAtomic;
  std::vector<std::string> keys;  // of kMap, the primary one first
  bool operator==(const ListRule&) const = default;
};

/// The schema at one place of an object: a cursor that moves down with the merge. A value; borrows
/// the JSON schema that it was made from.
class Schema {
 public:
  Schema() = default;  // nothing is known here or below
  /// The type of a Kubernetes definition, by its name in the published OpenAPI
  /// ("io.k8s.api.core.v1.PodSpec"); unknown where the table has no list for it.
  static Schema definition(std::string_view name);
  /// A schema of a CRD (apiextensions.k8s.io/v1 JSONSchemaProps). A "$ref" to
  /// "#/definitions/NAME" is followed into definition(NAME). Beside the API server's words
  /// "x-portico-list-type": "functions" gives ListRule::Kind::kFunctions.
  static Schema json(const json::Value& schema);
  /// False: nobody has said anything about this place, so a key may be guessed from the data.
  bool known() const { return source_ != Source::kUnknown; }
  Schema field(std::string_view name) const;
  Schema item() const;
  /// kAtomic where the schema is known and names no key.
  ListRule list_rule() const;

 private:
  enum class Source : std::uint8_t {
    kUnknown,
    kObject,  // a kind that nothing is known of, except that it has metadata
    kType,    // a Kubernetes type of the table; "" is one that has no list to merge
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

/// The schemas of kinds: Kubernetes' own, and those of the CRDs of a package.
class Schemas {
 public:
  /// Takes the schemas of a CustomResourceDefinition, every version; of two for one kind the later
  /// one stays. Anything else, and CRDs without a schema, are passed over.
  void add_crd(const json::Value& object);
  /// Those of a package's files; what does not parse is passed over.
  void add_crds(const krm::Package& package);
  /// Where an object of this kind starts; `metadata` is known for every kind. CRDs win over the
  /// built-in table.
  Schema of(const krm::ResourceId& id, std::string_view version) const;
  /// The same for an object; unknown for what is no KRM resource.
  Schema of(const krm::Object& object) const;

 private:
  struct Kind {
    std::string group, version, kind;
    auto operator<=>(const Kind&) const = default;
  };
  std::map<Kind, json::Value> crds_;
};

/// The field that kyaml takes for the key of a list without a schema: "name", where every item of
/// the list is a map that has it as a scalar.
std::optional<std::string> inferred_key(const json::Value& list);

}  // namespace portico::merge
