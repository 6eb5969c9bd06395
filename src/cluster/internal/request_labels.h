// The labels of a request to an API server in metrics. Pure.
#pragma once

#include <string>
#include <string_view>

namespace portico::cluster {

struct RequestLabels {
  /// As in Kubernetes: get, list, watch, create, update, patch, delete, deletecollection; for a
  /// non-resource path the method in lower case.
  std::string verb;
  std::string resource;  // "packagevariants/status"; "" for a non-resource path
  bool operator==(const RequestLabels&) const = default;
};

/// `target` is a path with its query, as the client sends it.
RequestLabels request_labels(std::string_view method, std::string_view target);

}  // namespace portico::cluster
