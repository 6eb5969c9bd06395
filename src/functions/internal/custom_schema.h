// What CustomResourceDefinitions say about the kinds that they define.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "functions/internal/kubernetes_schema.h"
#include "json/value.h"
#include "krm/resource_list.h"

namespace portico::functions {

/// The kinds that the definitions among the items define, apiextensions.k8s.io v1 and v1beta1.
class CustomKinds {
 public:
  explicit CustomKinds(const std::vector<krm::Item>& items);

  /// The openAPIV3Schema of a version that is served; an empty object where the definition has
  /// none. nullptr for a kind that is not defined and a version that is not served.
  const json::Value* find(std::string_view api_version, std::string_view kind) const;
  /// The versions of the kind that are served: "v1alpha1, v1"; "" where there are none.
  std::string served(std::string_view api_version, std::string_view kind) const;

 private:
  struct Kind {
    std::vector<std::pair<std::string, json::Value>> versions;  // API version and schema
  };
  void add(const json::Value& definition);

  std::map<std::pair<std::string, std::string>, Kind> kinds_;  // by group and kind
};

/// What the API server has against a custom resource: a structural schema with all its keywords but
/// x-kubernetes-validations, which are CEL. As there, a field with a default is not missing, and a
/// null where none is allowed is no field. In `strict` fields that the schema does not have are
/// errors, too; the server drops these. Ordered as check() orders, what is wrong in metadata last.
std::vector<SchemaError> check_custom(const json::Value& schema, const json::Value& object,
                                      bool strict);

}  // namespace portico::functions
