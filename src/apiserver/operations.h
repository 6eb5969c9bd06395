// The port to operations of the running system as a whole: settle, rehearse, dump.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/result.h"
#include "drafts/request.h"
#include "json/value.h"

namespace portico::apiserver {

/// Thread-safe.
class Operations {
 public:
  virtual ~Operations() = default;

  /// Fills in the current inputs of a request that names a PackageVariant as its inputs
  /// (drafts/wire.h).
  virtual Result<drafts::DraftRequest> with_inputs(drafts::DraftRequest request) = 0;

  /// Called from time to time with the progress so far.
  using Report = std::function<void(const json::Value& progress)>;
  /// Blocks until the controllers have nothing left to do, or until `stop`; returns what they did.
  /// `asked` has the format that portico's client sends.
  virtual Result<json::Value> settle(const json::Value& asked, const Report& report,
                                     const std::stop_token& stop) = 0;
  /// Computes what the controllers would do after these changes; writes nothing.
  virtual Result<json::Value> rehearse(const json::Value& changes, const Report& report,
                                       const std::stop_token& stop) = 0;
  /// Text for operators: what workers are doing, what is waiting, and what does not respond.
  /// Contains no secrets.
  virtual Result<std::string> dump() = 0;
};

}  // namespace portico::apiserver
