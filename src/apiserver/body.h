// The object that a request carries. Pure.
#pragma once

#include <string_view>

#include "apiserver/call.h"
#include "json/value.h"
#include "kubeapi/refusal.h"

namespace portico::apiserver {

/// By its Content-Type: JSON (also where none is said) or YAML. 415 for another type, 400 for what
/// cannot be read; `kind` is what was expected.
kubeapi::Reply<json::Value> decode_body(std::string_view content_type, std::string_view body,
                                        std::string_view kind);

/// The options that a deletion carries; null where there are none.
kubeapi::Reply<json::Value> decode_delete_options(const Call& call);

/// The object of a create or update (in protobuf, too, where the kind has a form there), with its
/// apiVersion and kind held against the resource's: 400 and 422 with Kubernetes' texts.
kubeapi::Reply<json::Value> decode_object(const Call& call);

/// The object of a create whose kind is another than the resource's, as those of subresources are.
kubeapi::Reply<json::Value> decode_object_of(const Call& call, std::string_view group,
                                             std::string_view version, const std::string& kind);

}  // namespace portico::apiserver
