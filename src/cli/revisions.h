// Package revisions as the commands look at them: siblings, the one of a variant that people mean,
// and what they must know of it besides its state. Pure but for what takes a registry.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "drafts/request.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::cli {

/// The beginning of a request for another revision of the same package, by the person at the
/// command line.
drafts::DraftRequest sibling_of(const json::Value& revision, const std::string& workspace);

/// Every revision of its package, the head of the branch among them.
Result<std::vector<json::Value>> siblings_of(const registry::Registry& registry,
                                             const json::Value& revision);

/// What a variant's revision is now, of those that it owns: the newest draft or proposal, else the
/// published one with the highest number. Null where there is none.
json::Value newest_of(const std::vector<json::Value>& owned);

/// "ConfigMap region: no object was selected", one for each required injection point of the
/// revision that is not met: what keeps it from being published.
std::vector<std::string> unmet_injections(const json::Value& revision);

/// What drifted, and what to do; "" where the variant has not.
std::string drift_note(const json::Value& variant);

/// One line each of what is to be known of a variant besides its state: its drift, and the
/// injection points of `newest` that are not met.
std::vector<std::string> notes_of(const json::Value& variant, const json::Value& newest);

/// Why a draft or proposal is not to be approved as it is, and what to do; "" where nothing stands
/// against it.
std::string stale_note(const json::Value& revision, const std::vector<json::Value>& siblings);

}  // namespace portico::cli
