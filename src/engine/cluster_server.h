// The API of package revisions behind a cluster's API server, and the controllers of the cluster's
// Repositories, variants and sets: without Porch, with the cluster's etcd as the only store.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "base/tracer.h"
#include "engine/api_server.h"
#include "engine/context.h"

namespace portico::engine {

/// Package revisions are kept as PackageRevs (packages/package_revs.h), their content is git.
/// Replicas serve side by side: the API asks the cluster each time and writes with the version that
/// was read, and a push names the old value of each ref. The controllers share the work by
/// repository (controllers/share.h): who comes or goes moves only its share.
class ClusterServer {
 public:
  struct Options {
    std::string folder;    // of mirrors, keys and certificates; may be empty at the start
    std::string lease_ns;  // of Leases; "": that of the pod, or of the kubeconfig's context
    std::string group = "portico-server";  // of those who share the work: cluster::Membership
    std::chrono::seconds lease_duration{15};
    std::chrono::seconds resync{60};  // how often repositories are looked at
    /// Repositories that are folders of this machine are taken: for one replica, and trusted users.
    bool local_repositories = false;
    ApiServer::Options api;    // `folder` and what is asked of the cluster are filled in
    std::shared_ptr<Log> log;  // not null
    Meter* meter = nullptr;    // may be null, else it must outlive the server
    Tracer* tracer = nullptr;  // the same
  };
  /// Nothing is asked of the cluster yet. It is that of target_of_pod(). kUnavailable where the
  /// folder cannot be made.
  static Result<std::unique_ptr<ClusterServer>> make(const Context& context, Options options);
  virtual ~ClusterServer() = default;

  /// The cluster: "https://10.0.0.1:6443".
  virtual const std::string& cluster() const = 0;
  /// Serves until `stop` (as set by a signal, see stop.h); `serving` is called once, when it is
  /// reached at `url`. An error where the cluster refuses what it needs.
  virtual Result<Done> run(const std::atomic<bool>& stop,
                           const std::function<void(const std::string& url)>& serving) = 0;
  /// Whether it answers, else why not. Safe from any thread.
  virtual Result<Done> ready() const = 0;
};

}  // namespace portico::engine
