// One request as a span of a trace.
#pragma once

#include <string>

#include "apiserver/audit.h"
#include "base/tracer.h"
#include "http/message.h"

namespace portico::apiserver {

/// From its construction to its end; the trace is that of the request's header traceparent where it
/// has one. Nothing for the paths that somebody asks every few seconds: health and numbers.
class RequestSpan {
 public:
  RequestSpan(Tracer* tracer, const http::Request& request);

  explicit operator bool() const { return bool(span_); }
  /// What it was, as far as it came, and how it ended. Nothing of its body and of its query.
  void tell(const Audited& audited, const http::Answer& answer);

 private:
  Span span_;
  std::string method_;
};

}  // namespace portico::apiserver
