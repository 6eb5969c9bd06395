// The CustomResourceDefinitions of the kinds that a command uses.
#pragma once

#include <set>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cli {

/// All stored definitions; empty if the user may not read them, and the command works without what
/// they add.
Result<std::vector<json::Value>> all_definitions(const registry::Registry& registry);

/// The definitions of those kinds that belong neither to Portico nor to Kubernetes; unreadable ones
/// are omitted.
std::vector<json::Value> definitions_of(const registry::Registry& registry,
                                        const std::set<krm::GroupKind>& kinds);
/// The definitions of the objects' kinds.
std::vector<json::Value> definitions_of(const registry::Registry& registry,
                                        const std::vector<json::Value>& objects);

/// The definition of the kind; null if there is none.
json::Value definition_of(const krm::GroupKind& kind, const std::vector<json::Value>& definitions);

}  // namespace portico::cli
