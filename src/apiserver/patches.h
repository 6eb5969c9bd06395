// The patches of a PATCH request, by its Content-Type. Pure.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "base/result.h"
#include "json/value.h"
#include "kubeapi/refusal.h"

namespace portico::apiserver {

/// Whether the request is a server-side apply.
bool is_apply(const Call& call);

/// What the patch of the request makes of `live`. 400, 415 and 422 with Kubernetes' texts.
kubeapi::Reply<json::Value> patched(const Call& call, const json::Value& live);

/// The object that a text is in YAML, or in JSON, which is YAML and quicker to read.
Result<json::Value> read_applied(std::string_view text);

/// The object of a server-side apply, held against the resource and the name of the path.
kubeapi::Reply<json::Value> applied_object(const Call& call);

}  // namespace portico::apiserver
