// Portico's own endpoints next to the Kubernetes and Porch APIs, for the portico commands:
// /apis/portico.dev/v1/..., which an aggregating kube-apiserver forwards like any API group, and
// /portico/v1/... (docs/guide/server.md). They need no rights of their own: each path requires the
// rights on resources with which the client could get the same result.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "apiserver/call.h"
#include "apiserver/operations.h"
#include "apiserver/package_revisions.h"
#include "apiserver/rights.h"
#include "base/guarded.h"
#include "http/message.h"
#include "kubeapi/status_error.h"

namespace portico::apiserver {

/// Thread-safe. The destructor stops running requests.
class PorticoPaths {
 public:
  /// `operations` may be null: then its paths are not served. All arguments must outlive it.
  PorticoPaths(PackagesWorld world, Operations* operations, Rights& rights)
      : world_(world), operations_(operations), rights_(rights) {}

  /// The API group and version under which a kube-apiserver sees these paths.
  static constexpr std::string_view kGroup = "portico.dev", kVersion = "v1";
  static bool is_one(std::string_view path) {
    return path.starts_with("/apis/portico.dev/v1/") || path.starts_with("/portico/v1/");
  }

  /// Whether `name` is a resource of these paths, with its subresource: "repositories/sync".
  static bool is_resource(std::string_view name);

  kubeapi::StatusOr<http::Answer> answer(const Call& call);

 private:
  struct Asked;
  struct Running;
  kubeapi::StatusOr<json::Value> dump(const Asked& asked);
  kubeapi::StatusOr<json::Value> in_namespace(const Asked& asked);
  kubeapi::StatusOr<json::Value> of_revision(const Asked& asked);
  kubeapi::StatusOr<json::Value> check_repository(const Asked& asked);
  kubeapi::StatusOr<json::Value> of_repository(const Asked& asked);
  kubeapi::StatusOr<json::Value> content_at(const Asked& asked);
  kubeapi::StatusOr<json::Value> draft(const Asked& asked);
  kubeapi::StatusOr<Done> may_speak_for(const Asked& asked,
                                        const drafts::DraftRequest& request) const;
  kubeapi::StatusOr<http::Answer> settle(const Asked& asked);
  kubeapi::StatusOr<http::Answer> rehearse(const Asked& asked);
  kubeapi::StatusOr<json::Value> readable_namespaces(const Asked& asked,
                                                     const std::string& ns) const;
  kubeapi::StatusOr<Done> may(const Asked& asked, std::string verb, std::string_view group,
                              const std::string& resource, std::string ns,
                              std::string name = {}) const;

  using Work =
      std::function<Result<json::Value>(const Operations::Report&, const std::stop_token&)>;
  http::Answer stream(Work work);

  PackagesWorld world_;
  Operations* operations_;
  Rights& rights_;
  Guarded<std::list<std::shared_ptr<Running>>> running_;
};

}  // namespace portico::apiserver
