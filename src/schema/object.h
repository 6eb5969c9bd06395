// What is done with an object of a kind that has a schema, before it is stored. Pure.
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
  std::vector<std::string> unknown;  // paths of what went, in the order Kubernetes warns of them
};

/// The object as it is stored: metadata in metav1's shape, without unknown fields, with defaults.
/// kInvalid where metadata have a wrong type; `what` is the end of Kubernetes' text for it.
Result<TakenIn> take_in(const json::Value& object, const Schema& schema);

/// "unknown field "spec.x"": what warnings and the errors of strict requests say of `unknown`.
std::string unknown_field(std::string_view path);

/// Where the numbers of the scale subresource stand: ".spec.replicas".
struct ScalePaths {
  std::string spec_replicas, status_replicas;
};

/// What a definition says of its objects.
struct ObjectRules {
  Rules rules;  // of the schema, compiled
  bool namespaced = true;
  NameRule name = NameRule::kSubdomain;
  std::optional<ScalePaths> scale;
};

/// What is wrong with an object that was taken in and is to be created, in Kubernetes' order:
/// metadata, embedded resources, keys of lists, the schema, the scale, and where all that has the
/// right types and sizes, the rules.
std::vector<Cause> create_causes(const json::Value& object, const Schema& schema,
                                 const ObjectRules& rules);

/// The same for one that takes the place of `old`: what was wrong before may stay so where it is
/// not changed. Neither asks whether what is immutable of the metadata has changed.
std::vector<Cause> update_causes(const json::Value& object, const json::Value& old,
                                 const Schema& schema, const ObjectRules& rules);

}  // namespace portico::schema
