// The life of namespaces in a registry: each has its service account, and what is in one that is
// deleted goes with it.
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

/// Does what Kubernetes' controllers for namespaces and service accounts do. A namespace that is
/// deleted is Terminating, everything in it is deleted, and it goes with the last of that; what
/// has finalizers is waited for. Of package revisions the objects go and git is not touched
/// (docs/decisions/0350). A thread of its own waits for what others write; safe from any thread.
class Namespaces {
 public:
  /// Settles all that there are. `log` may be null; what is given outlives it.
  static Result<std::unique_ptr<Namespaces>> open(registry::Registry& registry, const Clock& clock,
                                                  Log* log);
  ~Namespaces();

  /// Marks the namespace as being deleted, deletes what is in it, and lets it go where nothing is
  /// left. The namespace as marked.
  Result<json::Value> remove(const json::Value& ns, bool dry_run);

  /// Brings one namespace to where it is to be: its service account is there, or, where it is being
  /// deleted, what is in it is deleted, and it goes if that was all. Nothing where there is none.
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
  /// Deletes what is there; what waits for finalizers.
  Result<std::vector<json::Value>> clear(const std::string& name);
  Result<Done> finalize(const json::Value& ns);
  Result<Done> tell_what_is_left(const json::Value& ns, const std::vector<json::Value>& left);

  registry::Registry& registry_;
  const Clock& clock_;
  Log* log_;
  Monitor<State> state_;
  // Of the thread, which ends before they do.
  std::vector<std::unique_ptr<registry::Watch>> watches_;  // of namespaces, of service accounts
  std::map<std::string, std::unique_ptr<registry::Watch>> terminating_;
  std::thread thread_;
};

}  // namespace portico::apiserver
