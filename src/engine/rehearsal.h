// The whole system once more, on copies: whatever is done here, store and git stay as they are.
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

/// The system must outlive it. It has a folder of its own below the system's.
class Rehearsal {
 public:
  /// Of those changes.
  static Result<std::unique_ptr<Rehearsal>> begin(System& system, const Changes& changes);
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;

  /// Writes the changes to a fork of the system's registry, and says what the controllers make of
  /// them. Once. kUnavailable after `limit`, and when `stop` is asked for.
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
