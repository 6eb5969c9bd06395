// The lifecycle of namespaces in a registry: each gets its default service account, and deleting
// one deletes its content.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/monitor.h"
#include "base/result.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Does what Kubernetes' namespace and service account controllers do. A deleted namespace becomes
/// Terminating, its content is deleted, and it is removed with the last object; finalizers of the
/// content are waited for. For package revisions, only the objects are deleted and git is not
/// touched (docs/decisions/0350). A thread of its own watches for writes by other clients.
/// Thread-safe.
class Namespaces {
 public:
  /// Settles all existing namespaces. `log` may be null. All arguments must outlive it.
  static Result<std::unique_ptr<Namespaces>> open(registry::Registry& registry, const Clock& clock,
                                                  Log* log);
  ~Namespaces();

  /// Marks the namespace as being deleted, deletes its content, and removes the namespace if
  /// nothing is left. Returns the marked namespace.
  Result<json::Value> remove(const json::Value& ns, bool dry_run);

  /// Reconciles one namespace: creates its service account or, if it is being deleted, deletes its
  /// content and removes it if it is empty. A no-op if the namespace does not exist.
  Result<Done> settle(const std::string& name);

 private:
  Namespaces(registry::Registry& registry, const Clock& clock, Log* log)
      : registry_(registry), clock_(clock), log_(log) {}
  struct State {
    bool ready = true, stopping = false;
  };
  void run();
  Result<Done> look();
  void report(const Error& error) const;
  Result<Done> follow_all();
  void follow(const std::string& name);
  std::unique_ptr<registry::Watch> watch(const registry::Query& query,
                                         registry::ResourceVersion from);
  Result<Done> ensure_account(const std::string& name);
  /// Deletes the content; returns the objects that wait for finalizers.
  Result<std::vector<json::Value>> clear(const std::string& name);
  Result<Done> finalize(const json::Value& ns);
  Result<Done> tell_what_is_left(const json::Value& ns, const std::vector<json::Value>& left);

  registry::Registry& registry_;
  const Clock& clock_;
  Log* log_;
  Monitor<State> state_;
  // Used only by the thread, which ends before they are destroyed.
  std::vector<std::unique_ptr<registry::Watch>> watches_;  // namespaces, service accounts
  std::map<std::string, std::unique_ptr<registry::Watch>> terminating_;
  std::thread thread_;
};

}  // namespace portico::apiserver
