// Schemas of the kinds that CustomResourceDefinitions define.
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

/// The kinds that the items' CustomResourceDefinitions (apiextensions.k8s.io v1, v1beta1) define.
class CustomKinds {
 public:
  explicit CustomKinds(const std::vector<krm::Item>& items);

  /// The openAPIV3Schema of a served version; an empty object if the definition has none. nullptr
  /// if the kind is not defined or the version is not served.
  const json::Value* find(std::string_view api_version, std::string_view kind) const;
  /// The served versions of the kind: "v1alpha1, v1"; "" if there are none.
  std::string served(std::string_view api_version, std::string_view kind) const;

 private:
  struct Kind {
    std::vector<std::pair<std::string, json::Value>> versions;  // API version and schema
  };
  void add(const json::Value& definition);

  std::map<std::pair<std::string, std::string>, Kind> kinds_;  // by group and kind
};

/// The errors that the API server would report for a custom resource: a structural schema with all
/// its keywords except x-kubernetes-validations, which are CEL. As in the API server, a field with
/// a default is not missing, and a null that is not allowed counts as an absent field. With
/// `strict`, fields that the schema does not have are errors too; the server drops them. In the
/// order of check(), with errors in metadata last.
std::vector<SchemaError> check_custom(const json::Value& schema, const json::Value& object,
                                      bool strict);

}  // namespace portico::functions
