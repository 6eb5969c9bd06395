// Kinds of objects that no server takes, since nothing defines them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cli {

/// Of the kinds of `objects` those that need a CustomResourceDefinition and have none, neither in
/// the registry nor among the objects, with the version that an object of theirs has.
Result<std::map<krm::GroupKind, std::string>> undefined_kinds(
    const registry::Registry& registry, const std::vector<json::Value>& objects);

/// The same of all that is stored.
Result<std::map<krm::GroupKind, std::string>> undefined_kinds(const registry::Registry& registry);

}  // namespace portico::cli
