// Where traces go, as the command line and OpenTelemetry's variables of the environment say it.
// Pure.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/trace_parent.h"
#include "http/headers.h"

namespace portico::telemetry {

/// Which traces are recorded.
struct Sampling {
  bool as_parent = true;  // one that somebody else began is recorded where he records it
  double ratio = 1;       // of the others, by their id: equal programs choose the same ones

  bool takes(const SpanContext& fresh, const std::optional<SpanContext>& parent) const;
  bool operator==(const Sampling&) const = default;
};

struct TraceSettings {
  std::string server, target;  // "http://127.0.0.1:4318" and "/v1/traces"
  http::Headers headers{};     // of each request
  std::string service = "portico";
  Sampling sampling{};
  std::chrono::milliseconds wait = std::chrono::seconds(5);  // of a span for others
};

/// The value of a variable; null where it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Nothing where nobody names a collector, or OTEL_SDK_DISABLED is "true". `flag` is what the
/// command line says, "" for nothing: a URL behind which /v1/traces is asked, before
///   OTEL_EXPORTER_OTLP_TRACES_ENDPOINT  the whole URL,
///   OTEL_EXPORTER_OTLP_ENDPOINT         as `flag`.
/// Always from the environment:
///   OTEL_EXPORTER_OTLP_HEADERS          "name=value,name=value", values with %41,
///   OTEL_SERVICE_NAME,
///   OTEL_BSP_SCHEDULE_DELAY             `wait`, in milliseconds,
///   OTEL_TRACES_SAMPLER, with _ARG      always_on, always_off, traceidratio, and each with
///                                       parentbased_ before it.
/// kInvalid, with the name of the variable; no value of a header is told.
Result<std::optional<TraceSettings>> trace_settings(const std::string& flag,
                                                    const Environment& environment);

}  // namespace portico::telemetry
