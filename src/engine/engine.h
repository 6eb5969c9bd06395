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

/// One interface for the commands, over a state folder in this process (embedded_engine.h), the
/// `portico serve` that runs on it, or a named server (remote_engine.h).
class Engine {
 public:
  /// The server that the context names (--server, --kubeconfig, --context, $PORTICO_SERVER), else
  /// the state folder: through the socket of the process that serves it, else in this process. Only
  /// one process at a time writes to a folder; the others wait for their turn, at most for
  /// --timeout.
  static Result<std::unique_ptr<Engine>> open(const Context& context);
  /// For commands that only read, without waiting: without a server, a snapshot of the folder.
  /// Writes to its registry are discarded.
  static Result<std::unique_ptr<Engine>> read(const Context& context);

  virtual ~Engine() = default;

  virtual registry::Registry& registry() = 0;
  virtual packages::Revisions& packages() = 0;
  virtual drafts::Drafts& drafts() = 0;
  virtual const Clock& clock() const = 0;
  std::string now() const;  // RFC 3339
  /// Whether controllers run without being asked to.
  virtual bool is_served() const = 0;

  /// Waits, with a progress bar, until the controllers have no work left for `asked` and what
  /// follows from it (controllers/following.h; empty: for anything). They run here, or the server's
  /// are waited for. Here they also continue with other work while it makes progress. Returns what
  /// was done since the engine was opened; its errors include permanent failures, for `asked` also
  /// earlier ones. kUnavailable if time runs out first.
  virtual Result<controllers::Plan> settle(terminal::Terminal& terminal,
                                           const std::set<krm::ObjectKey>& asked = {}) = 0;
  /// The outcome of changes; nothing is written.
  virtual Result<Rehearsed> rehearse(const Changes& changes, terminal::Terminal& terminal) = 0;
};

/// The user at the command line: git's author variables (GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL), else
/// the system's user.
packages::Actor current_actor();

}  // namespace portico::engine
