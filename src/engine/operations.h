// Server-wide operations for clients of its API.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <stop_token>
#include <string>

#include "apiserver/operations.h"
#include "engine/embedded_engine.h"
#include "engine/fleet_progress.h"
#include "engine/system.h"

namespace portico::engine {

/// For any system. The arguments must outlive it.
class SystemOperations : public apiserver::Operations {
 public:
  explicit SystemOperations(System& system) : system_(system) {}

  Result<drafts::DraftRequest> with_inputs(drafts::DraftRequest request) override;
  /// `asked`: {since, asked: [object references], look: whether to sync the repositories of
  /// `namespace` first, readable: [namespaces], null for all}. Returns a plan
  /// (controllers/plan_wire.h).
  Result<json::Value> settle(const json::Value& asked, const Report& report,
                             const std::stop_token& stop) override;
  /// `changes`: as in changes.h, with `readable` and `timeoutSeconds`, 0 for the server's limit.
  /// Returns a Rehearsed.
  Result<json::Value> rehearse(const json::Value& changes, const Report& report,
                               const std::stop_token& stop) override;

 protected:
  System& system() { return system_; }
  /// Waits until the controllers have no work left for `asked` and what follows from it (empty: for
  /// anything). Returns what was done, from `since` on if that version is available.
  virtual Result<controllers::Plan> wait_settled(
      registry::ResourceVersion since, const std::set<krm::ObjectKey>& asked,
      const std::function<void(const FleetProgress&)>& report, const std::stop_token& stop) = 0;
  /// The time limit of a rehearsal.
  virtual std::chrono::milliseconds longest() const = 0;

 private:
  Result<Done> look_at_repositories(const std::string& ns, const std::set<krm::ObjectKey>& asked,
                                    const std::stop_token& stop);

  System& system_;
};

/// For a state folder.
class EngineOperations : public SystemOperations {
 public:
  explicit EngineOperations(EmbeddedEngine& engine) : SystemOperations(engine), engine_(engine) {}

  Result<std::string> dump() override { return engine_.dump(); }

 protected:
  Result<controllers::Plan> wait_settled(registry::ResourceVersion since,
                                         const std::set<krm::ObjectKey>& asked,
                                         const std::function<void(const FleetProgress&)>& report,
                                         const std::stop_token& stop) override {
    return engine_.wait_settled(since, asked, report, stop);
  }
  std::chrono::milliseconds longest() const override { return engine_.time_left(); }

 private:
  EmbeddedEngine& engine_;
};

}  // namespace portico::engine
