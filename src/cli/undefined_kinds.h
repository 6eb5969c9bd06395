// Kinds that no server accepts because they have no definition.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cli {

/// The kinds of `objects` that need a CustomResourceDefinition and have none, neither in the
/// registry nor among the objects, each with the version of one of its objects.
Result<std::map<krm::GroupKind, std::string>> undefined_kinds(
    const registry::Registry& registry, const std::vector<json::Value>& objects);

/// The same for all stored objects.
Result<std::map<krm::GroupKind, std::string>> undefined_kinds(const registry::Registry& registry);

}  // namespace portico::cli
