// Field tables of Kubernetes' protobuf messages, with the numbers of generated.proto in k8s.io/api
// and k8s.io/apimachinery.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace portico::kubeapi {

enum class Proto : std::uint8_t {
  kText,
  kBytes,  // base64 in JSON
  kInt,    // int32, int64
  kBool,
  kTime,       // metav1.Time: whole seconds
  kMicroTime,  // with six fractional digits
  kRawJson,    // FieldsV1: JSON wrapped in a message with one field
  kMessage,
  kTextMap,   // string to string
  kBytesMap,  // string to bytes
  kListsMap,  // string to list of strings
};

struct ProtoField {
  std::uint32_t number;
  std::string_view name;  // in JSON
  Proto type;
  bool repeated = false;
  bool keeps_zero = false;        // a pointer in Go: false and 0 are serialized
  std::string_view message = "";  // of kMessage
};

struct ProtoMessage {
  std::string_view name;
  std::span<const ProtoField> fields;
};

struct ProtoKind {
  std::string_view group, kind;
  std::span<const ProtoField> fields;
};

/// nullptr if it is unknown.
const ProtoMessage* proto_message(std::string_view name);
const ProtoKind* proto_kind(std::string_view group, std::string_view kind);

}  // namespace portico::kubeapi
