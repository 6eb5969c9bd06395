// Objects in Kubernetes' protobuf, as newer clients send those of the kinds that are compiled into
// a Kubernetes server. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace portico::kubeapi {

/// "application/vnd.kubernetes.protobuf".
inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

/// What stands around an object: the bytes "k8s" and 0, then runtime.Unknown.
struct Envelope {
  std::string api_version, kind;  // may be empty: then the resource says it
  std::string_view object;        // points into the body
};
/// kInvalid with Go's texts.
Result<Envelope> open_envelope(std::string_view body);

/// Whether objects of the kind can be read. DeleteOptions can, as a kind of the core.
bool has_protobuf(std::string_view group, std::string_view kind);

/// The members of an object of a kind for which has_protobuf() holds, as JSON has them; apiVersion
/// and kind are not among them. Fields that the kind does not have are passed over, as protobuf
/// wants it. kInvalid for what is cut off or nested deeper than the kind.
Result<json::Value> decode_protobuf(std::string_view group, std::string_view kind,
                                    std::string_view object);

}  // namespace portico::kubeapi
