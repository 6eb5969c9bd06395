// Sends spans to a collector of OpenTelemetry.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "base/tracer.h"
#include "telemetry/trace_settings.h"

namespace portico::telemetry {

struct TracesOptions {
  TraceSettings settings;
  std::string version;                                        // of the program
  std::function<std::uint64_t()> random;                      // for ids; called from any thread
  std::shared_ptr<Log> log;                                   // not null
  Meter* meter = nullptr;                                     // borrowed; may be null
  std::size_t batch = 512;                                    // spans of one request at most
  std::size_t queue = 8192;                                   // spans that wait at most
  std::chrono::milliseconds call = std::chrono::seconds(10);  // for one request
  std::chrono::milliseconds pause = std::chrono::seconds(1);  // after a failure; doubles to 30 s
  std::chrono::milliseconds last = std::chrono::seconds(2);   // for all that is left at the end
};

/// One thread sends what others hand over, and nobody waits for it: spans that come while the queue
/// is full are dropped. What the collector has no time for (429, 502, 503, 504) or does not answer
/// is sent again, after as long as it says; what it refuses is dropped. What is dropped is counted
/// (portico_trace_spans_dropped_total), and the log says when it begins to go wrong and when it is
/// over.
class Traces : public Tracer {
 public:
  static Result<std::unique_ptr<Traces>> start(TracesOptions options);
  /// Sends what is left, for TracesOptions::last at most.
  ~Traces() override = default;

  /// "http://127.0.0.1:4318/v1/traces".
  virtual const std::string& url() const = 0;
};

/// Numbers that hardly ever come again, from a seed of the system's. Safe from any thread.
std::function<std::uint64_t()> random_numbers();

}  // namespace portico::telemetry
