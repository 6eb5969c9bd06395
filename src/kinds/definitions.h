// The CustomResourceDefinitions of Portico's kinds, as served and as stored in deploy/crds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::kinds {

/// All definitions, sorted by name: objects of apiextensions.k8s.io/v1. Fields and types come from
/// the tables that decode and encode the kinds; required fields, allowed values and defaults are in
/// internal/facets.h. Each accepts everything that Porch's definition of the kind accepts.
const std::vector<json::Value>& definitions();

/// The `openAPIV3Schema` of a version of one of Portico's kinds, or null. Package kinds, which have
/// no definition, have one as well: it only describes them, and their decoders validate them.
const json::Value& schema_of(std::string_view kind, std::string_view version);

/// The file name of a definition: "config.porch.kpt.dev_repositories.yaml".
std::string file_name(const json::Value& definition);

}  // namespace portico::kinds
