// Only the controllers of variants and sets, over the API of a cluster that has the packages:
// Porch's, or a Portico server.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "base/tracer.h"
#include "engine/context.h"

namespace portico::engine {

class FleetEngine {
 public:
  struct Options {
    std::string ns;        // the namespace to watch; "": every namespace
    std::string lease_ns;  // for the Lease; "": the pod's, or the kubeconfig context's
    std::string lease = "portico-controllers";
    std::chrono::seconds lease_duration{15};
    std::shared_ptr<Log> log;  // not null
    Meter* meter = nullptr;    // may be null, else it must outlive the engine
    Tracer* tracer = nullptr;  // like `meter`
  };
  /// Does not contact the server yet. The server is that of target_of_pod().
  static Result<std::unique_ptr<FleetEngine>> make(const Context& context, Options options);
  virtual ~FleetEngine() = default;

  /// "https://10.0.0.1:6443".
  virtual const std::string& server() const = 0;
  /// Waits for the Lease, then works until `stop` is true (set by a signal, see stop.h); returns
  /// within seconds, whatever the server does. Returns an error if the Lease is lost or the server
  /// rejects it permanently.
  virtual Result<Done> run(const std::atomic<bool>& stop) = 0;
  /// Ok if it does its work or is a standby; else why not. Thread-safe.
  virtual Result<Done> ready() const = 0;
};

}  // namespace portico::engine
