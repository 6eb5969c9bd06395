// OpenAPI documents of version 2 in the protobuf of gnostic, which older clients ask for. Pure.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace portico::kubeapi {

/// What is asked for, and with '@' in place of the '.' before "v1.0" by clients from before 2023.
inline constexpr std::string_view kOpenApiProtobufType =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/// `document`, as openapi_v2() makes it, as a message openapi.v2.Document of gnostic
/// (github.com/google/gnostic-models, openapiv2/OpenAPIv2.proto). Extensions ("x-...") are text, as
/// there; what a message has no field for is left out.
std::string openapi_protobuf(const json::Value& document);

}  // namespace portico::kubeapi
