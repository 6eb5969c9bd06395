// The controllers of variants and sets alone, over the API of a cluster that has the packages:
// Porch's, or a server of ours.
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
    std::string ns;        // what is looked at; "": every namespace
    std::string lease_ns;  // of the Lease; "": that of the pod, or of the kubeconfig's context
    std::string lease = "portico-controllers";
    std::chrono::seconds lease_duration{15};
    std::shared_ptr<Log> log;  // not null
    Meter* meter = nullptr;    // may be null, else it must outlive the engine
    Tracer* tracer = nullptr;  // the same
  };
  /// Nothing is asked of the server yet. The server is that of target_of_pod().
  static Result<std::unique_ptr<FleetEngine>> make(const Context& context, Options options);
  virtual ~FleetEngine() = default;

  /// "https://10.0.0.1:6443".
  virtual const std::string& server() const = 0;
  /// Waits for the Lease, then works until `stop` (as set by a signal, see stop.h): within some
  /// seconds, whatever the server does. An error where the Lease is lost, or the server refuses it
  /// for good.
  virtual Result<Done> run(const std::atomic<bool>& stop) = 0;
  /// Whether it does its work, or waits to take it over; else why not. Safe from any thread.
  virtual Result<Done> ready() const = 0;
};

}  // namespace portico::engine
