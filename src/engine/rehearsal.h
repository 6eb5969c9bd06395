// A rehearsal: the whole system on copies, so that store and git stay unchanged.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>

#include "controllers/manager.h"
#include "engine/changes.h"
#include "engine/system.h"

namespace portico::engine {

/// The system must outlive it. Uses a scratch folder below the system's.
class Rehearsal {
 public:
  static Result<std::unique_ptr<Rehearsal>> begin(System& system, const Changes& changes);
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  /// Writes the changes to a fork of the system's registry and returns what the controllers do in
  /// response. Call once. kUnavailable after `limit`, and when `stop` is requested.
  Result<Rehearsed> run(std::chrono::milliseconds limit,
                        const std::function<void(const controllers::Progress&)>& report,
                        const std::stop_token& stop = {});

 private:
  Rehearsal(System& system, const Changes& changes) : system_(system), changes_(changes) {}

  System& system_;
  const Changes changes_;
  std::string folder_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  System::Ports ports_;
};

}  // namespace portico::engine
