// OpenAPI version 2 documents in gnostic's protobuf encoding, which older clients request. Pure.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace portico::kubeapi {

/// The requested media type. Clients from before 2023 send '@' instead of the '.' before "v1.0".
inline constexpr std::string_view kOpenApiProtobufType =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// Encodes `document`, as made by openapi_v2(), as an openapi.v2.Document message of gnostic
/// (github.com/google/gnostic-models, openapiv2/OpenAPIv2.proto). As in gnostic, extensions
/// ("x-...") are text; members without a field in the message are omitted.
std::string openapi_protobuf(const json::Value& document);

}  // namespace portico::kubeapi
