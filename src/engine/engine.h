// What the commands work on: the system in this process, on a state folder, or a server.
#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "controllers/plan.h"
#include "drafts/drafts.h"
#include "engine/changes.h"
#include "engine/context.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::engine {

/// One set of commands, whatever is behind it: the state folder alone (embedded_engine.h), the
/// `portico serve` that runs on it, or a server that is named (remote_engine.h).
class Engine {
 public:
  /// A server where the context names one (--server, --kubeconfig, --context, $PORTICO_SERVER),
  /// else the state folder: through the socket of the process that serves it, else in this process.
  /// Of several processes on one folder one writes at a time: the others wait for their turn, at
  /// most for --timeout.
  static Result<std::unique_ptr<Engine>> open(const Context& context);
  /// The same for what only reads, and waits for nobody: without a server, of the folder as it is
  /// now. What is written to its registry is gone with it.
  static Result<std::unique_ptr<Engine>> read(const Context& context);

  virtual ~Engine() = default;

  virtual registry::Registry& registry() = 0;
  virtual packages::Revisions& packages() = 0;
  virtual drafts::Drafts& drafts() = 0;
  virtual const Clock& clock() const = 0;
  std::string now() const;  // RFC 3339
  /// Whether controllers work without being asked to.
  virtual bool is_served() const = 0;

  /// Until the controllers have nothing left to do for `asked` and what follows from it
  /// (controllers/following.h; none: for anything), with a progress bar: they run here, or the
  /// server's are waited for. Here they go on with the rest, too, for as long as that gets on.
  /// kUnavailable where the time is over first. What was done since the engine was opened; what
  /// failed for good is among its errors, of `asked` also what failed before.
  virtual Result<controllers::Plan> settle(terminal::Terminal& terminal,
                                           const std::set<krm::ObjectKey>& asked = {}) = 0;
  /// What would come of changes; nothing is written.
  virtual Result<Rehearsed> rehearse(const Changes& changes, terminal::Terminal& terminal) = 0;
};

/// The person at the command line: git's user.name and user.email, else the system's user.
packages::Actor current_actor();

}  // namespace portico::engine
