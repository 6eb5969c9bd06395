// What a request asks for, by its method, path and query: as kube-apiserver sees it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/escape.h"

namespace portico::kubeapi {

/// For a resource ("/api/v1/...", "/apis/GROUP/VERSION/...") its parts; else only the path.
struct RequestInfo {
  bool is_resource = false;
  /// get, list, watch, create, update, patch, delete, deletecollection; of a path the method in
  /// small letters.
  std::string verb;
  std::string path;  // decoded, as it was sent
  std::string group, version, resource, subresource, ns, name;
  /// What is left of the path behind the subresource: nothing is served there.
  std::vector<std::string> rest;
  bool operator==(const RequestInfo&) const = default;
};

/// kInvalid for a path that is not one. A list or watch that its fieldSelector limits to one
/// metadata.name has that name, as access rules see it.
Result<RequestInfo> request_info(std::string_view method, std::string_view path,
                                 const http::Query& query);

/// Whether a query says yes: "true", "1"; an empty value counts, "false" and "0" do not.
bool is_true(const http::Query& query, std::string_view name);

}  // namespace portico::kubeapi
