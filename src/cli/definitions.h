// The CustomResourceDefinitions of the kinds that a command is about.
#pragma once

#include <set>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cli {

/// All that are stored; none for who may not read them: what a definition would add is left out.
Result<std::vector<json::Value>> all_definitions(const registry::Registry& registry);

/// Those of the kinds, where these are neither ours nor Kubernetes' own; what cannot be read is
/// left out.
std::vector<json::Value> definitions_of(const registry::Registry& registry,
                                        const std::set<krm::GroupKind>& kinds);
/// Those of the objects' kinds.
std::vector<json::Value> definitions_of(const registry::Registry& registry,
                                        const std::vector<json::Value>& objects);

/// The one that defines the kind; null where none does.
json::Value definition_of(const krm::GroupKind& kind, const std::vector<json::Value>& definitions);

}  // namespace portico::cli
