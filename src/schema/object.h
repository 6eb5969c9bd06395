// Processing of an object with a schema before it is stored. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/metadata.h"
#include "schema/rules.h"
#include "schema/schema.h"

namespace portico::schema {

struct TakenIn {
  json::Value object;
  std::vector<std::string> unknown;  // paths of removed fields, ordered like Kubernetes' warnings
};

/// The object as it is stored: with metadata in metav1's form, without unknown fields, with
/// defaults. kInvalid if metadata fields have a wrong type; `what` is the end of Kubernetes'
/// message.
Result<TakenIn> take_in(const json::Value& object, const Schema& schema);

/// "unknown field "spec.x"": the message for `unknown` in warnings and strict errors.
std::string unknown_field(std::string_view path);

/// The paths of the scale subresource's numbers: ".spec.replicas".
struct ScalePaths {
  std::string spec_replicas, status_replicas;
};

/// What a definition specifies for its objects.
struct ObjectRules {
  Rules rules;  // of the schema, compiled
  bool namespaced = true;
  NameRule name = NameRule::kSubdomain;
  std::optional<ScalePaths> scale;
};

/// What is wrong with an object from take_in() that is to be created, in Kubernetes' order:
/// metadata, embedded resources, list keys, the schema, the scale and, if types and sizes are
/// right, the rules.
std::vector<Cause> create_causes(const json::Value& object, const Schema& schema,
                                 const ObjectRules& rules);

/// The same for an object that replaces `old`: unchanged invalid parts are tolerated. Neither
/// function checks whether immutable metadata has changed.
std::vector<Cause> update_causes(const json::Value& object, const json::Value& old,
                                 const Schema& schema, const ObjectRules& rules);

}  // namespace portico::schema
