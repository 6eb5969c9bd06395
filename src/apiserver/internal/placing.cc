#include "apiserver/internal/placing.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "apiserver/portico_paths.h"
#include "http/escape.h"
#include "kubeapi/request_info.h"

namespace portico::apiserver {

ShareOf share_of(const http::Request& head) {
  static constexpr std::string_view kHealth[] = {"/healthz", "/livez", "/readyz", "/version"};
  const std::string_view path = head.path();
  if (std::find(std::begin(kHealth), std::end(kHealth), path) != std::end(kHealth))
    return ShareOf::kHealth;
  const bool reads = head.method == "GET" || head.method == "HEAD";
  if (reads && head.query().find("watch") != std::string_view::npos) {
    const auto query = http::Query::parse(head.query());
    if (query && kubeapi::is_true(*query, "watch")) return ShareOf::kWatches;
  }
  // Builds, plans, and reads from git.
  if (PorticoPaths::is_one(path)) return ShareOf::kPackages;
  const bool porch = path.starts_with("/apis/porch.kpt.dev/");
  const bool content = porch && path.find("/packagerevisionresources") != std::string_view::npos;
  if (content || (porch && !reads)) return ShareOf::kPackages;
  // Access reviews are creates that store nothing.
  const bool asks = path.starts_with("/apis/authorization.k8s.io/") ||
                    path.starts_with("/apis/authentication.k8s.io/");
  return reads || asks ? ShareOf::kReads : ShareOf::kWrites;
}

}  // namespace portico::apiserver
