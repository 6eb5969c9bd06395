// By whom a cluster's API server is known to those behind it, while that changes.
#pragma once

#include <stop_token>
#include <thread>

#include "base/log.h"
#include "base/monitor.h"
#include "base/result.h"
#include "engine/api_server.h"
#include "registry/registry.h"

namespace portico::engine {

/// What kube-apiserver says of itself in the ConfigMap
/// kube-system/extension-apiserver-authentication. kInvalid where it has no aggregation layer.
Result<ApiServer::Authorities> cluster_authorities(const registry::Registry& cluster);

/// Tells a server of other authorities, for as long as this lives: they are replaced while servers
/// run, and the old one and the new one are known for a time. Looks every ten seconds; what cannot
/// be read leaves all as it is.
class FollowedAuthorities {
 public:
  /// `known` is what the server was started with. All outlive this.
  FollowedAuthorities(const registry::Registry& cluster, ApiServer& server,
                      ApiServer::Authorities known, Log& log);

 private:
  void run(ApiServer::Authorities known, const std::stop_token& stop);

  const registry::Registry& cluster_;
  ApiServer& server_;
  Log& log_;
  Monitor<bool> ends_{false};
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace portico::engine
