// One request as a trace span.
#pragma once

#include <string>

#include "apiserver/audit.h"
#include "base/tracer.h"
#include "http/message.h"

namespace portico::apiserver {

/// Lasts from construction to destruction; continues the trace of a traceparent header if the
/// request has one. Empty for the paths that are polled every few seconds: health and metrics.
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
