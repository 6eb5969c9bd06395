// Validates a value against its schema, with Kubernetes' messages.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "schema/schema.h"

namespace portico::schema {

/// Violations of the schema's validations (types, bounds, patterns, formats, enums, alternatives)
/// by `value`; empty if it is valid. Order for each object: alternatives, then members by name,
/// then missing members. Does not evaluate rules (rules.h) or compare list keys (lists.h). `path`
/// is the place of the value: "" for a whole object.
std::vector<Cause> validate(const json::Value& value, const Schema& schema,
                            std::string_view path = "");

/// The same for a value that replaces `old`: unchanged parts are not reported, so that a schema may
/// become stricter than stored objects (Kubernetes' ratcheting). List items are correlated only by
/// x-kubernetes-list-map-keys.
std::vector<Cause> validate_update(const json::Value& value, const json::Value& old,
                                   const Schema& schema, std::string_view path = "");

}  // namespace portico::schema
