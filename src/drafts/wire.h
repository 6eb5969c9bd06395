// JSON encoding of draft requests and results, between a Portico client and server. Pure.
#pragma once

#include <vector>

#include "base/result.h"
#include "drafts/drafts.h"
#include "drafts/request.h"
#include "json/value.h"
#include "merge/tree.h"

namespace portico::drafts {

/// Omits the actor (the server authenticates the caller), `metadata`, `mutations` and
/// `inputs_hash`. With mutations, "inputs" names their PackageVariant, which the server reads.
json::Value to_json(const DraftRequest& request);
/// The inverse; the variant named by "inputs" becomes `mutations->variant`, with the rest empty.
/// kInvalid with the field as place.
Result<DraftRequest> request_from_json(const json::Value& value);

/// Omits `before`, `pristine`, `edits`, `results`, `injected` and the times, which stay on the
/// server.
json::Value to_json(const Built& built);
Result<Built> built_from_json(const json::Value& value);
json::Value to_json(const Drafted& drafted);
Result<Drafted> drafted_from_json(const json::Value& value);

json::Value to_json(const std::vector<BuildStep>& steps);
Result<std::vector<BuildStep>> steps_from_json(const json::Value& value);

json::Value to_json(const merge::Conflict& conflict);
merge::Conflict conflict_from_json(const json::Value& value);

}  // namespace portico::drafts
