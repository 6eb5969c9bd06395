// The CustomResourceDefinitions of our own kinds: what the server serves and deploy/crds has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::kinds {

/// All of them, in the order of their names: objects of apiextensions.k8s.io/v1. Fields and types
/// come from the tables that decode and encode the kinds; what is required, allowed and filled in
/// beside is in internal/facets.h. Each accepts what Porch's definition of the kind accepts.
const std::vector<json::Value>& definitions();

/// The schema of a version of a kind of ours, or null: `openAPIV3Schema`. Also of the kinds of
/// packages, which have no definition: they are described by it, and checked by their decoders.
const json::Value& schema_of(std::string_view kind, std::string_view version);

/// The name of a definition's file: "config.porch.kpt.dev_repositories.yaml".
std::string file_name(const json::Value& definition);

}  // namespace portico::kinds
