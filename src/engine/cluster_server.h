// The package revision API behind a cluster's API server, and the controllers for the cluster's
// Repositories, variants and sets: replaces Porch, with the cluster's etcd as the only store.
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

/// Package revisions are stored as PackageRevs (packages/package_revs.h); their content is in git.
/// Replicas serve concurrently: the API reads from the cluster on each request and writes with the
/// version it read, and a push names the old value of each ref. The controllers shard the work by
/// repository (controllers/share.h): a replica that joins or leaves moves only its share.
class ClusterServer {
 public:
  struct Options {
    std::string folder;    // for mirrors, keys and certificates; may be empty at the start
    std::string lease_ns;  // for Leases; "": the pod's, or the kubeconfig context's
    std::string group = "portico-server";  // that shares the work: cluster::Membership
    std::chrono::seconds lease_duration{15};
    std::chrono::seconds resync{60};  // how often repositories are synced
    /// Accepts repositories that are local folders: for a single replica with trusted users.
    bool local_repositories = false;
    ApiServer::Options api;    // `folder` and what comes from the cluster are filled in
    std::shared_ptr<Log> log;  // not null
    Meter* meter = nullptr;    // may be null, else it must outlive the server
    Tracer* tracer = nullptr;  // like `meter`
  };
  /// Does not contact the cluster yet. The cluster is that of target_of_pod(). kUnavailable if the
  /// folder cannot be created.
  static Result<std::unique_ptr<ClusterServer>> make(const Context& context, Options options);
  virtual ~ClusterServer() = default;

  /// The cluster: "https://10.0.0.1:6443".
  virtual const std::string& cluster() const = 0;
  /// Serves until `stop` is true (set by a signal, see stop.h); calls `serving` once, when it is
  /// reachable at `url`. Returns an error if the cluster denies something it needs.
  virtual Result<Done> run(const std::atomic<bool>& stop,
                           const std::function<void(const std::string& url)>& serving) = 0;
  /// Ok if it serves, else why not. Thread-safe.
  virtual Result<Done> ready() const = 0;
};

}  // namespace portico::engine
