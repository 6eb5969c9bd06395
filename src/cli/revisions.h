// Package revisions for commands: siblings, a variant's current revision, and notes about it. Pure
// except for functions that take a registry.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "drafts/request.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::cli {

/// A request, by the current user, for another revision of the same package, without a source.
drafts::DraftRequest sibling_of(const json::Value& revision, const std::string& workspace);

/// All revisions of its package, including the head of the branch.
Result<std::vector<json::Value>> siblings_of(const registry::Registry& registry,
                                             const json::Value& revision);

/// A variant's current revision, from those that it owns: the newest draft or proposal, else the
/// published one with the highest number. Null if there is none.
json::Value newest_of(const std::vector<json::Value>& owned);

/// "ConfigMap region: no object was selected" for each required injection point of the revision
/// that is unmet and blocks publishing.
std::vector<std::string> unmet_injections(const json::Value& revision);

/// Describes the drift and its remedy; "" if the variant has not drifted.
std::string drift_note(const json::Value& variant);

/// Notes on a variant besides its state, one line each: its drift, and the unmet injection points
/// of `newest`.
std::vector<std::string> notes_of(const json::Value& variant, const json::Value& newest);

/// Why a draft or proposal cannot be approved as it is, and the remedy; "" if nothing prevents it.
std::string stale_note(const json::Value& revision, const std::vector<json::Value>& siblings);

}  // namespace portico::cli
