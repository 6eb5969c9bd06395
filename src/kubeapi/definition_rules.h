// What a server does with a CustomResourceDefinition that is written: defaults, checks, conditions.
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::kubeapi {

/// What a definition that nobody has filled in has, as Kubernetes' type has it: nobody owns these
/// fields by writing them.
json::Value empty_definition();

struct TakenDefinition {
  json::Value object;
  std::vector<std::string> unknown;  // paths of what went, in order
};
/// A definition whose schemas have only what JSONSchemaProps has, without what is empty there. The
/// rest of the object is looked at by its own schema (core_schemas.h).
TakenDefinition take_in_schemas(const json::Value& definition);

/// With singular, listKind and conversion; status begins, and knows the version that is stored.
json::Value with_definition_defaults(const json::Value& definition);

/// What is wrong with a definition that has its defaults and takes the place of `old` (null: it is
/// new), beside its metadata: names, versions, schemas with their rules, columns, subresources,
/// stored versions. Kubernetes' texts. What stays as it was in a schema is not judged again.
std::vector<Cause> definition_causes(const json::Value& definition, const json::Value& old);

/// status.acceptedNames and the conditions NamesAccepted and Established, as Kubernetes'
/// controllers set them: what another one of `others` (definitions of the same group) has already
/// is in conflict. `now` is RFC 3339. The definition itself where nothing changes.
json::Value with_accepted_names(const json::Value& definition,
                                const std::vector<json::Value>& others, std::string_view now);

/// Whether its objects can be served. A definition whose status is empty can: nobody has judged it.
bool is_established(const json::Value& definition);

/// With the condition, in place of one of its type; lastTransitionTime moves with the status only.
json::Value with_condition(const json::Value& definition, std::string_view type,
                           std::string_view status, std::string_view reason,
                           std::string_view message, std::string_view now);

}  // namespace portico::kubeapi
