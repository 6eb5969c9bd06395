// Defaulting, validation and conditions of CustomResourceDefinitions. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::kubeapi {

/// The fields that Kubernetes' type of a definition serializes when nothing is set: a writer does
/// not own them.
json::Value empty_definition();

struct TakenDefinition {
  json::Value object;
  std::vector<std::string> unknown;  // paths of the removed members, in order
};
/// The definition with its schemas reduced to the members of JSONSchemaProps, without empty ones.
/// The rest of the object is checked against its own schema (core_schemas.h).
TakenDefinition take_in_schemas(const json::Value& definition);

/// Sets singular, listKind and conversion, initializes the status and adds the storage version to
/// status.storedVersions.
json::Value with_definition_defaults(const json::Value& definition);

/// What is wrong with a defaulted definition that replaces `old` (null: it is new), except for its
/// metadata: names, versions, schemas with their rules, columns, subresources, stored versions.
/// Uses Kubernetes' messages. Schemas that have not changed are not validated again.
std::vector<Cause> definition_causes(const json::Value& definition, const json::Value& old);

/// Sets status.acceptedNames and the conditions NamesAccepted and Established as Kubernetes'
/// controllers do; a name already accepted for one of `others` (definitions of the same group) is a
/// conflict. `now` is RFC 3339. Returns an equal definition if nothing changes.
json::Value with_accepted_names(const json::Value& definition,
                                const std::vector<json::Value>& others, std::string_view now);

/// Whether its objects can be served. A definition without the condition counts as established.
bool is_established(const json::Value& definition);

/// Adds or replaces the condition of this type; lastTransitionTime changes only with the status.
json::Value with_condition(const json::Value& definition, std::string_view type,
                           std::string_view status, std::string_view reason,
                           std::string_view message, std::string_view now);

}  // namespace portico::kubeapi
