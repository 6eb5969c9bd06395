// What a served state folder does as a whole, for clients of its API.
#pragma once

#include <set>
#include <string>

#include "apiserver/operations.h"
#include "engine/embedded_engine.h"

namespace portico::engine {

/// The engine outlives it.
class EngineOperations : public apiserver::Operations {
 public:
  explicit EngineOperations(EmbeddedEngine& engine) : engine_(engine) {}

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
  Result<std::string> dump() override { return engine_.dump(); }

 private:
  Result<Done> look_at_repositories(const std::string& ns, const std::set<krm::ObjectKey>& asked,
                                    const std::stop_token& stop);

  EmbeddedEngine& engine_;
};

}  // namespace portico::engine
