// The whole system once more, on copies: whatever is done here, store and git stay as they are.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "cli/engine.h"
#include "controllers/plan.h"

namespace portico::cli {

/// The engine must outlive it. One at a time: it has the folder "rehearsal" of the state folder.
class Rehearsal {
 public:
  static Result<std::unique_ptr<Rehearsal>> begin(Engine& engine);
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  /// A fork of the engine's.
  registry::Registry& registry() { return *registry_; }

  /// What the controllers make of what was written to registry(). `asked` are the objects that it
  /// is about.
  Result<controllers::Plan> plan(const std::set<krm::ObjectKey>& asked, Terminal& terminal);

 private:
  explicit Rehearsal(Engine& engine) : engine_(engine) {}

  Engine& engine_;
  std::filesystem::path folder_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  Engine::Ports ports_;
};

}  // namespace portico::cli
