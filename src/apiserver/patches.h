// Applies the patch of a PATCH request, according to its Content-Type. Pure.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "base/result.h"
#include "json/value.h"
#include "kubeapi/status_error.h"

namespace portico::apiserver {

/// Whether the request is a server-side apply.
bool is_apply(const Call& call);

/// `live` with the request's patch applied. 400, 415 and 422 with Kubernetes' messages.
kubeapi::StatusOr<json::Value> patched(const Call& call, const json::Value& live);

/// Parses YAML or JSON. JSON is a subset of YAML and is parsed directly because that is faster.
Result<json::Value> read_applied(std::string_view text);

/// The object of a server-side apply, checked against the resource and the name in the path.
kubeapi::StatusOr<json::Value> applied_object(const Call& call);

}  // namespace portico::apiserver
