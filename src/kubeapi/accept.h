// Content negotiation of answers by the Accept header. Pure.
#pragma once

#include <string>
#include <string_view>

#include "kubeapi/status_error.h"

namespace portico::kubeapi {

enum class Encoding { kJson, kYaml, kProtobuf };

/// The representation of the objects before encoding.
enum class Shape {
  kAsIs,
  kTable,                // meta.k8s.io/v1 Table
  kPartialMetadata,      // PartialObjectMetadata
  kPartialMetadataList,  // PartialObjectMetadataList
  kGroupDiscovery,       // apidiscovery.k8s.io/v2 APIGroupDiscoveryList
};

struct Form {
  Encoding encoding = Encoding::kJson;
  Shape shape = Shape::kAsIs;
  std::string version = "v1";  // of meta.k8s.io or apidiscovery.k8s.io, for shapes other than kAsIs
  bool pretty = false;

  /// "application/json"; with parameters if the requested representation needs them.
  std::string content_type;
  bool operator==(const Form&) const = default;
};

/// The representations that a resource offers.
struct Offer {
  bool protobuf = false;  // built-in kinds, Status and discovery
  bool forms = true;      // Table and PartialObjectMetadata
  bool group_discovery = false;
  bool openapi_protobuf = false;  // kOpenApiProtobufType
};

/// The first accepted type that is offered, by quality and then by order. 406 if none is offered.
StatusOr<Form> negotiate(std::string_view accept, const Offer& offer);

}  // namespace portico::kubeapi
