// Where traces go, from the command line and OpenTelemetry's environment variables. Pure.
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
  bool as_parent = true;  // follow the caller's decision for traces that it began
  double ratio = 1;       // of all others, by trace id: the same in all programs with this ratio

  bool takes(const SpanContext& fresh, const std::optional<SpanContext>& parent) const;
  bool operator==(const Sampling&) const = default;
};

struct TraceSettings {
  std::string server, target;  // "http://127.0.0.1:4318" and "/v1/traces"
  http::Headers headers{};     // of each request
  std::string service = "portico";
  Sampling sampling{};
  std::chrono::milliseconds wait = std::chrono::seconds(5);  // of a span for more to batch with
};

/// The value of a variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Returns nullopt if no collector is configured or OTEL_SDK_DISABLED is "true". `flag` is the
/// value of the command line flag ("" if absent): a base URL, to which /v1/traces is added. It
/// takes precedence over
///   OTEL_EXPORTER_OTLP_TRACES_ENDPOINT  the whole URL,
///   OTEL_EXPORTER_OTLP_ENDPOINT         as `flag`.
/// Always from the environment:
///   OTEL_EXPORTER_OTLP_HEADERS          "name=value,name=value", percent-encoded values,
///   OTEL_SERVICE_NAME,
///   OTEL_BSP_SCHEDULE_DELAY             `wait`, in milliseconds,
///   OTEL_TRACES_SAMPLER, with _ARG      always_on, always_off, traceidratio, each also with the
///                                       prefix parentbased_.
/// Returns kInvalid with the name of the variable; the error never shows a header value.
Result<std::optional<TraceSettings>> trace_settings(const std::string& flag,
                                                    const Environment& environment);

}  // namespace portico::telemetry
