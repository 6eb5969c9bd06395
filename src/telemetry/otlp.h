// Spans as a collector of OpenTelemetry takes them: OTLP in JSON. Pure.
#pragma once

#include <map>
#include <span>
#include <string>

#include "base/tracer.h"

namespace portico::telemetry {

/// Of attributes and errors no more is sent; what is cut ends with "...". Less than is kept, so
/// that no half of a credential is at the end (base/tracer.h).
inline constexpr std::size_t kMostSpanText = 2048;

/// An ExportTraceServiceRequest of the spans, in their order. `resource` says who sends them:
/// "service.name", "service.version". Credentials are left out of all texts (base/secrets.h), and
/// what is no UTF-8 is spelled out.
std::string otlp_traces(const std::map<std::string, std::string>& resource,
                        std::span<const FinishedSpan> spans);

/// What a collector that took them says about those that it did not keep.
struct Rejected {
  std::size_t spans = 0;
  std::string why;
};
/// Of the body of an answer; nothing is rejected where it does not say so.
Rejected rejected_spans(std::string_view answer);

}  // namespace portico::telemetry
