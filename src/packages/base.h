// What a draft is based on, and whether that is still what is published. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace portico::packages {

/// Why approving `package_revision` would undo what was published since it was started:
/// "edge.web.w2 is based on v1, v2 was published since". Nothing where it would not, or where
/// nothing is known of either. `siblings` are all revisions of the package, the head of the branch
/// among them.
std::optional<std::string> stale_base(const json::Value& package_revision,
                                      const std::vector<json::Value>& siblings);

/// What is published now, and a new draft starts from: the latest published revision, or the head
/// of the branch where somebody has committed there since. Null where nothing is published.
const json::Value& current(const std::vector<json::Value>& siblings);

/// The published revision with the highest number; null where there is none.
const json::Value& latest_published(const std::vector<json::Value>& siblings);

/// The head of the registered branch among the revisions of one package: null where there is none.
const json::Value& branch_head(const std::vector<json::Value>& siblings);

}  // namespace portico::packages
