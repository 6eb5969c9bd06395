// What a draft is based on, and whether that is still the published state. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace portico::packages {

/// Why approving `package_revision` would undo a publication that happened since it was started:
/// "edge.web.w2 is based on v1, v2 was published since". Nullopt if it would not, or if its base or
/// the branch head is unknown. `siblings` are all revisions of the package, including the branch
/// head.
std::optional<std::string> stale_base(const json::Value& package_revision,
                                      const std::vector<json::Value>& siblings);

/// The published state, from which a new draft starts: the latest published revision, or the branch
/// head if it has commits since. Null if nothing is published.
const json::Value& current(const std::vector<json::Value>& siblings);

/// The published revision with the highest number; null if there is none.
const json::Value& latest_published(const std::vector<json::Value>& siblings);

/// The head of the registered branch among the revisions of one package; null if there is none.
const json::Value& branch_head(const std::vector<json::Value>& siblings);

}  // namespace portico::packages
