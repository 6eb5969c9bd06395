// The fields of Kubernetes' protobuf messages, as generated.proto of k8s.io/api and
// k8s.io/apimachinery number them. Data.
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
  kMicroTime,  // with six digits behind the point
  kRawJson,    // FieldsV1: JSON in a message of one field
  kMessage,
  kTextMap,   // texts by text
  kBytesMap,  // bytes by text
  kListsMap,  // lists of texts by text
};

struct ProtoField {
  std::uint32_t number;
  std::string_view name;  // in JSON
  Proto type;
  bool repeated = false;
  bool keeps_zero = false;        // a pointer in Go: false and 0 are said
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

/// nullptr where it is not known.
const ProtoMessage* proto_message(std::string_view name);
const ProtoKind* proto_kind(std::string_view group, std::string_view kind);

}  // namespace portico::kubeapi
