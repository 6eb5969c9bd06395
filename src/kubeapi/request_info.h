// Parses method, path and query into the requested operation, like kube-apiserver. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/escape.h"

namespace portico::kubeapi {

/// The parts of a resource path ("/api/v1/...", "/apis/GROUP/VERSION/..."); otherwise only the
/// path.
struct RequestInfo {
  bool is_resource = false;
  /// get, list, watch, create, update, patch, delete, deletecollection; for a non-resource path the
  /// method in lower case.
  std::string verb;
  std::string path;  // decoded, as sent
  std::string group, version, resource, subresource, ns, name;
  /// The rest of the path after the subresource: nothing is served there.
  std::vector<std::string> rest;
  bool operator==(const RequestInfo&) const = default;
};

/// kInvalid for a malformed path. If the fieldSelector of a list or watch selects one
/// metadata.name, `name` is set to it, which is what access rules see.
Result<RequestInfo> request_info(std::string_view method, std::string_view path,
                                 const http::Query& query);

/// Whether a query flag is set: "true", "1" or an empty value; "false" and "0" are not.
bool is_true(const http::Query& query, std::string_view name);

}  // namespace portico::kubeapi
