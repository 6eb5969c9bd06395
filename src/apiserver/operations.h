// The port to what a running system does as a whole, and only it can: settle, rehearse, dump.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "drafts/request.h"
#include "json/value.h"

namespace portico::apiserver {

/// Safe from any thread.
class Operations {
 public:
  virtual ~Operations() = default;

  /// A request that names a PackageVariant as its inputs (drafts/wire.h), with what they are now.
  virtual Result<drafts::DraftRequest> with_inputs(drafts::DraftRequest request) = 0;

  /// Called now and then with what has been done up to then.
  using Tell = std::function<void(const json::Value& progress)>;
  /// Waits until the controllers have nothing left to do; what they did. `asked` is of the form
  /// that our client sends; blocks until then or until `stop`.
  virtual Result<json::Value> settle(const json::Value& asked, const Tell& tell,
                                     const std::stop_token& stop) = 0;
  /// What the controllers would make of changes; nothing is written.
  virtual Result<json::Value> rehearse(const json::Value& changes, const Tell& tell,
                                       const std::stop_token& stop) = 0;
  /// What workers are about, what waits, what does not answer: text for people. Without secrets.
  virtual Result<std::string> dump() = 0;
};

}  // namespace portico::apiserver
