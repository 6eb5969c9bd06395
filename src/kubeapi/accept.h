// In which form an answer is wanted: the header Accept. Pure.
#pragma once

#include <string>
#include <string_view>

#include "kubeapi/refusal.h"

namespace portico::kubeapi {

enum class Encoding { kJson, kYaml, kProtobuf };

/// What is made of the objects before they are encoded.
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
  std::string version = "v1";  // of meta.k8s.io or apidiscovery.k8s.io for another shape
  bool pretty = false;

  /// "application/json"; with its parameters where the form was asked for with them.
  std::string content_type;
  bool operator==(const Form&) const = default;
};

/// What can be had.
struct Offer {
  bool protobuf = false;  // built-in kinds, Status and discovery
  bool forms = true;      // Table and PartialObjectMetadata
  bool group_discovery = false;
  bool openapi_protobuf = false;  // kOpenApiProtobufType
};

/// The first of the accepted types, in their order and by their quality, that is offered. 406 where
/// none is.
Reply<Form> negotiate(std::string_view accept, const Offer& offer);

}  // namespace portico::kubeapi
