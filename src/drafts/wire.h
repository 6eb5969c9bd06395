// Requests of drafts and what came of them, as JSON, and back: for a client and a server of ours.
// Pure.
#pragma once

#include <vector>

#include "base/result.h"
#include "drafts/drafts.h"
#include "drafts/request.h"
#include "json/value.h"
#include "merge/tree.h"

namespace portico::drafts {

/// Without the actor, whom the server knows by other ways, `mutations` and `inputs_hash`: where
/// there are mutations, "inputs" names the PackageVariant that they are of, and the server reads it
/// there.
json::Value to_json(const DraftRequest& request);
/// The inverse; the variant named by "inputs" goes to `mutations->variant`, the rest of which is
/// empty. kInvalid with the field as place.
Result<DraftRequest> request_from_json(const json::Value& value);

/// Without `before`, `pristine`, `edits`, `injected` and the times, which stay with the server.
json::Value to_json(const Built& built);
Result<Built> built_from_json(const json::Value& value);
json::Value to_json(const Drafted& drafted);
Result<Drafted> drafted_from_json(const json::Value& value);

json::Value to_json(const std::vector<BuildStep>& steps);
Result<std::vector<BuildStep>> steps_from_json(const json::Value& value);

json::Value to_json(const merge::Conflict& conflict);
merge::Conflict conflict_from_json(const json::Value& value);

}  // namespace portico::drafts
