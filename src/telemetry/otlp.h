// Spans as an OpenTelemetry collector accepts them: OTLP in JSON. Pure.
#pragma once

#include <map>
#include <span>
#include <string>

#include "base/tracer.h"

namespace portico::telemetry {

/// Attributes and errors are cut to this length and then end with "...". Less than is kept
/// (base/tracer.h), so that the cut end never is half a credential.
inline constexpr std::size_t kMostSpanText = 2048;

/// An ExportTraceServiceRequest with the spans in order. `resource` identifies the sender:
/// "service.name", "service.version". Credentials are removed from all texts (base/secrets.h);
/// bytes that are not UTF-8 are escaped.
std::string otlp_traces(const std::map<std::string, std::string>& resource,
                        std::span<const FinishedSpan> spans);

/// What a collector that accepted a request says about spans that it dropped.
struct Rejected {
  std::size_t spans = 0;
  std::string why;
};
/// Parses a response body; nothing is rejected if the body does not say so.
Rejected rejected_spans(std::string_view answer);

}  // namespace portico::telemetry
