// Sends spans to an OpenTelemetry collector.
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
  std::function<std::uint64_t()> random;                      // for ids; thread-safe
  std::shared_ptr<Log> log;                                   // not null
  Meter* meter = nullptr;                                     // borrowed; may be null
  std::size_t batch = 512;                                    // maximum spans per request
  std::size_t queue = 8192;                                   // maximum queued spans
  std::chrono::milliseconds call = std::chrono::seconds(10);  // timeout of one request
  std::chrono::milliseconds pause = std::chrono::seconds(1);  // after a failure; doubles up to 30 s
  std::chrono::milliseconds last = std::chrono::seconds(2);   // for the remaining spans at the end
};

/// A background thread sends the spans; no caller waits for it. Spans that arrive while the queue
/// is full are dropped. A request that fails, or that the collector answers with 429, 502, 503 or
/// 504, is sent again after a pause or Retry-After; spans in a request that the collector rejects
/// are dropped. Dropped spans are counted (portico_trace_spans_dropped_total). The log reports when
/// delivery starts to fail and when it works again.
class Traces : public Tracer {
 public:
  static Result<std::unique_ptr<Traces>> start(TracesOptions options);
  /// Sends the remaining spans, for TracesOptions::last at most.
  ~Traces() override = default;

  /// "http://127.0.0.1:4318/v1/traces".
  virtual const std::string& url() const = 0;
};

/// A generator of 64-bit random numbers, seeded by the system. Thread-safe.
std::function<std::uint64_t()> random_numbers();

}  // namespace portico::telemetry
