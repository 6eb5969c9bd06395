// Runs the commands on a server: through the socket of a state folder, or over the network.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/fd.h"
#include "base/stop.h"
#include "cluster/api.h"
#include "engine/engine.h"
#include "engine/target.h"

namespace portico::engine {

/// The socket on which `portico serve` listens for commands on its folder.
std::string socket_path(const std::string& folder);
/// Whether a process accepts connections there.
bool serves(const std::string& folder);

class RemoteEngine : public Engine {
 public:
  /// The server that the options name: --server, else the context of --kubeconfig, else of
  /// $KUBECONFIG or ~/.kube/config.
  static Result<std::unique_ptr<RemoteEngine>> connect(const Context& context) {
    return connect(context, Packages::kThere);
  }
  /// kMayBeAway: porch.kpt.dev need not answer, because the command is about to set it up.
  enum class Packages { kThere, kMayBeAway };
  static Result<std::unique_ptr<RemoteEngine>> connect(const Context& context, Packages packages);
  /// The process that serves the folder.
  static Result<std::unique_ptr<RemoteEngine>> connect_to(const std::string& folder,
                                                          const Context& context);

  registry::Registry& registry() override { return *registry_; }
  packages::Revisions& packages() override { return *packages_; }
  drafts::Drafts& drafts() override { return *drafts_; }
  const Clock& clock() const override { return clock_; }
  bool is_served() const override { return true; }
  Result<controllers::Plan> settle(terminal::Terminal& terminal,
                                   const std::set<krm::ObjectKey>& asked = {}) override;
  Result<Rehearsed> rehearse(const Changes& changes, terminal::Terminal& terminal) override;
  /// What the server's workers are doing, for display.
  Result<std::string> dump();

 private:
  explicit RemoteEngine(const Context& context)
      : deadline_(context.deadline), stop_(context.stop()), ns_(context.globals.ns) {}
  Result<Done> open(http::ClientOptions client, Packages packages);
  std::chrono::milliseconds time_left() const;
  Result<controllers::Plan> settle_here(terminal::Terminal& terminal,
                                        const std::set<krm::ObjectKey>& asked);
  Error not_settled() const;
  /// A call that streams progress and then a result; shows a progress bar.
  Result<json::Value> follow_once(const std::string& target, const json::Value& body,
                                  std::string_view doing, terminal::Terminal& terminal);
  /// The same, repeated if the response is cut off: the calls are idempotent.
  Result<json::Value> follow(const std::string& target, const json::Value& body,
                             std::string_view doing, terminal::Terminal& terminal);

  Deadline deadline_;
  Stop stop_;
  std::string ns_;
  Fd folder_;  // through which a socket with a long path is reached
  SystemClock clock_;
  std::unique_ptr<cluster::Api> api_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<packages::Revisions> packages_;
  std::unique_ptr<drafts::Drafts> drafts_;
  registry::ResourceVersion since_ = 0;  // the server's version when this was opened
};

/// RemoteEngine::dump() of the server that the options name, else of the `portico serve` on the
/// state folder; kNotFound if none runs.
Result<std::string> dump_of_server(const Context& context);

}  // namespace portico::engine
