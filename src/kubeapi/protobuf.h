// Decodes objects in Kubernetes' protobuf encoding, which newer clients use for built-in kinds.
// Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace portico::kubeapi {

/// "application/vnd.kubernetes.protobuf".
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// The wrapper of an object: the bytes "k8s" and 0, then runtime.Unknown.
struct Envelope {
  std::string api_version, kind;  // may be empty: then the resource determines them
  std::string_view object;        // points into the body
};
/// kInvalid with Go's messages.
Result<Envelope> open_envelope(std::string_view body);

/// Whether objects of the kind can be decoded. DeleteOptions can, as a kind of the core group.
bool has_protobuf(std::string_view group, std::string_view kind);

/// Decodes an object of a kind for which has_protobuf() holds into its JSON members, without
/// apiVersion and kind. Unknown fields are skipped, as protobuf requires. kInvalid for truncated
/// input and for nesting deeper than the kind allows.
Result<json::Value> decode_protobuf(std::string_view group, std::string_view kind,
                                    std::string_view object);

}  // namespace portico::kubeapi
