// The whole system once more, on copies: whatever is done here, store and git stay as they are.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "engine/changes.h"
#include "engine/embedded_engine.h"

namespace portico::engine {

/// The engine must outlive it. It has a folder of its own below the state folder.
class Rehearsal {
 public:
  static Result<std::unique_ptr<Rehearsal>> begin(EmbeddedEngine& engine);
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  /// Writes the changes to a fork of the engine's registry, and says what the controllers make of
  /// them. Once. kUnavailable after `limit`, and when `stop` is asked for.
  Result<Rehearsed> run(const Changes& changes, std::chrono::milliseconds limit,
                        const std::function<void(const controllers::Progress&)>& report,
                        const std::stop_token& stop = {});

 private:
  explicit Rehearsal(EmbeddedEngine& engine) : engine_(engine) {}

  EmbeddedEngine& engine_;
  std::string folder_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  EmbeddedEngine::Ports ports_;
};

}  // namespace portico::engine
