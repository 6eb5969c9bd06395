// The authorities by which the servers behind a cluster's API server recognize it, kept up to date.
#pragma once

#include <stop_token>
#include <thread>

#include "base/log.h"
#include "base/monitor.h"
#include "base/result.h"
#include "engine/api_server.h"
#include "registry/registry.h"

namespace portico::engine {

/// From the ConfigMap kube-system/extension-apiserver-authentication, which kube-apiserver writes.
/// kInvalid if it has no aggregation layer.
Result<ApiServer::Authorities> cluster_authorities(const registry::Registry& cluster);

/// Keeps the authorities of a server up to date during its lifetime: a cluster replaces them while
/// servers run, with the old and the new one valid for a time. Polls every ten seconds; if they
/// cannot be read, nothing changes.
class FollowedAuthorities {
 public:
  /// `known`: what the server was started with. All arguments must outlive this object.
  FollowedAuthorities(const registry::Registry& cluster, ApiServer& server,
                      ApiServer::Authorities known, Log& log);

 private:
  void run(ApiServer::Authorities known, const std::stop_token& stop);

  const registry::Registry& cluster_;
  ApiServer& server_;
  Log& log_;
  Monitor<bool> ends_{false};
  std::jthread thread_;  // last: it uses all members above
};

}  // namespace portico::engine
