// Whether a value is what its schema says, in Kubernetes' words.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

/// What the schema's validations (types, bounds, patterns, formats, enums, alternatives) have
/// against `value`: empty where it is valid. In order: of each object its members by name, what the
/// alternatives say before them, missing members last. Rules are not evaluated (rules.h), keys of
/// lists not compared (lists.h). `path` is where the value stands: "" for a whole object.
std::vector<Cause> validate(const json::Value& value, const Schema& schema,
                            std::string_view path = "");

/// The same for a value that takes the place of `old`: nothing is said of a part that stays as it
/// was, so that a schema may become stricter than what is stored (Kubernetes' ratcheting). Items of
/// lists are found again by their x-kubernetes-list-map-keys only.
std::vector<Cause> validate_update(const json::Value& value, const json::Value& old,
                                   const Schema& schema, std::string_view path = "");

}  // namespace portico::schema
