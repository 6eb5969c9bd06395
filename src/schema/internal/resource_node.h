// What every resource has beside its schema: a version, a kind, a name.
#pragma once

#include <string_view>

#include "schema/schema.h"

namespace portico::schema::internal {

/// The schema that a member of a resource has for expressions: apiVersion, kind and metadata, of
/// which only the names can be read, are the same for every kind. nullptr for an unknown member.
const Node* resource_member(const Node& node, std::string_view name);

/// The schema of metadata in expressions: name and generateName.
const Node& metadata_node();

}  // namespace portico::schema::internal
