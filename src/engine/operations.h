// What a server does as a whole, for clients of its API.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <stop_token>
#include <string>

#include "apiserver/operations.h"
#include "engine/embedded_engine.h"
#include "engine/standing.h"
#include "engine/system.h"

namespace portico::engine {

/// Of any system. What it is given outlives it.
class SystemOperations : public apiserver::Operations {
 public:
  explicit SystemOperations(System& system) : system_(system) {}

  Result<drafts::DraftRequest> with_inputs(drafts::DraftRequest request) override;
  /// `asked`: {since, asked: [objects by name], look: whether at the repositories of `namespace`
  /// first, readable: [namespaces], null for all}. A plan
  /// (controllers/plan_wire.h).
  Result<json::Value> settle(const json::Value& asked, const Tell& tell,
                             const std::stop_token& stop) override;
  /// `changes`: as changes.h has them, with `readable` and
  /// `timeoutSeconds`, 0 for the server's; what comes back is a Rehearsed.
  Result<json::Value> rehearse(const json::Value& changes, const Tell& tell,
                               const std::stop_token& stop) override;

 protected:
  System& system() { return system_; }
  /// Waits until the controllers have nothing left to do for `asked` and what follows from it
  /// (none: for anything). What came of it; of what was done since `since`, where that is known.
  virtual Result<controllers::Plan> wait_settled(registry::ResourceVersion since,
                                                 const std::set<krm::ObjectKey>& asked,
                                                 const std::function<void(const Standing&)>& report,
                                                 const std::stop_token& stop) = 0;
  /// What a rehearsal may take.
  virtual std::chrono::milliseconds longest() const = 0;

 private:
  Result<Done> look_at_repositories(const std::string& ns, const std::set<krm::ObjectKey>& asked,
                                    const std::stop_token& stop);

  System& system_;
};

/// Of a state folder.
class EngineOperations : public SystemOperations {
 public:
  explicit EngineOperations(EmbeddedEngine& engine) : SystemOperations(engine), engine_(engine) {}

  Result<std::string> dump() override { return engine_.dump(); }

 protected:
  Result<controllers::Plan> wait_settled(registry::ResourceVersion since,
                                         const std::set<krm::ObjectKey>& asked,
                                         const std::function<void(const Standing&)>& report,
                                         const std::stop_token& stop) override {
    return engine_.wait_settled(since, asked, report, stop);
  }
  std::chrono::milliseconds longest() const override { return engine_.time_left(); }

 private:
  EmbeddedEngine& engine_;
};

}  // namespace portico::engine
