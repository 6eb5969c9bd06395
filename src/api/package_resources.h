// PackageRevisionResources and PorchPackage (porch.kpt.dev/v1alpha1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/decode.h"
#include "api/meta.h"

namespace portico::api {

/// The files of one package revision.
struct PackageRevisionResourcesSpec {
  std::string package_name, workspace_name, repository;
  std::int64_t revision = 0;
  StringMap resources;  // path -> text
  bool operator==(const PackageRevisionResourcesSpec&) const = default;
};

struct RenderStatus {
  json::Value result;  // kpt's FunctionResultList
  std::string error;
  bool operator==(const RenderStatus&) const = default;
};

struct PackageRevisionResourcesStatus {
  RenderStatus render_status;
  bool operator==(const PackageRevisionResourcesStatus&) const = default;
};

struct PackageRevisionResources {
  ObjectMeta metadata;
  PackageRevisionResourcesSpec spec;
  PackageRevisionResourcesStatus status;
  bool operator==(const PackageRevisionResources&) const = default;
};

struct PorchPackage {
  struct Spec {
    std::string package_name, repository;
    bool operator==(const Spec&) const = default;
  };
  struct Status {
    std::string latest_revision;
    bool operator==(const Status&) const = default;
  };
  ObjectMeta metadata;
  Spec spec;
  Status status;
  bool operator==(const PorchPackage&) const = default;
};

}  // namespace portico::api
