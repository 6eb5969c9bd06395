// Decodes the object in a request body. Pure.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/status_error.h"

namespace portico::apiserver {

/// Decodes by Content-Type: JSON (also if the header is missing) or YAML. 415 for another type, 400
/// for a body that cannot be parsed; `kind` is the expected kind, for the message.
kubeapi::StatusOr<json::Value> decode_body(std::string_view content_type, std::string_view body,
                                           std::string_view kind);

/// The DeleteOptions in the body; null if the body is empty.
kubeapi::StatusOr<json::Value> decode_delete_options(const Call& call);

/// The object of a create or update (also in protobuf, if the kind has a protobuf encoding). Its
/// apiVersion and kind are checked against the resource's: 400 and 422 with Kubernetes' messages.
kubeapi::StatusOr<json::Value> decode_object(const Call& call);

/// The object of a create whose kind differs from the resource's, as for subresources.
kubeapi::StatusOr<json::Value> decode_object_of(const Call& call, std::string_view group,
                                                std::string_view version, const std::string& kind);

}  // namespace portico::apiserver
