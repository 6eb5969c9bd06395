// The members that every resource has besides its schema: apiVersion, kind, metadata.
#pragma once

#include <string_view>

#include "schema/schema.h"

namespace portico::schema::internal {

/// The schema of a resource's member in expressions. apiVersion, kind and metadata, of which only
/// the names are accessible, are the same for every kind. nullptr for an unknown member.
const Node* resource_member(const Node& node, std::string_view name);

/// The schema of metadata in expressions: name and generateName.
const Node& metadata_node();

}  // namespace portico::schema::internal
