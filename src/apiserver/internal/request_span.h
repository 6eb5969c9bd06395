// One request as a trace span.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/audit.h"
#include "base/tracer.h"
#include "http/message.h"

namespace portico::apiserver {

/// Whether clients poll the path every few seconds: health and metrics.
bool is_polled(std::string_view path);
/// "packagevariants/status"; "" for a non-resource path.
std::string resource_text(const kubeapi::RequestInfo& info);

/// Lasts from construction to destruction; continues the trace of a traceparent header if the
/// request has one. Empty for a path that is_polled().
class RequestSpan {
 public:
  RequestSpan(Tracer* tracer, const http::Request& request);

  explicit operator bool() const { return bool(span_); }
  /// Records the request, as far as it was processed, and its result. Records neither body nor
  /// query.
  void record(const Audited& audited, const http::Answer& answer);

 private:
  Span span_;
  std::string method_;
};

}  // namespace portico::apiserver
