// The span of a request.
#include "apiserver/internal/request_span.h"

#include <gtest/gtest.h>

#include "testing/recording_tracer.h"

namespace portico::apiserver {
namespace {

using portico::testing::RecordingTracer;
using portico::testing::text_of;

Audited audited_as(std::optional<std::string> user) {
  Audited out;
  out.id = "an-id";
  if (user) out.user = access::User{.name = *std::move(user), .groups = {}};
  out.info = {.is_resource = true,
              .verb = "update",
              .path = "",
              .group = "config.porch.kpt.dev",
              .version = "v1alpha1",
              .resource = "packagevariants",
              .subresource = "status",
              .ns = "default",
              .name = "web",
              .rest = {}};
  return out;
}

http::Request request_of(std::string method, std::string target) {
  return {.method = std::move(method), .target = std::move(target)};
}

TEST(RequestSpan, SaysWhatWasAskedForByWhomAndHowItEnded) {
  RecordingTracer tracer;
  {
    RequestSpan span(&tracer, request_of("PUT", "/apis/some/path?token=hunter2"));
    Audited audited = audited_as("ada");
    audited.acting = access::User{.name = "grace", .groups = {}};
    span.record(audited, http::Response{.status = 409});
  }
  const FinishedSpan span = tracer.named("PUT packagevariants/status");
  EXPECT_EQ(span.kind, SpanKind::kServer);
  EXPECT_EQ(text_of(span, "url.path"), "/apis/some/path");
  EXPECT_EQ(text_of(span, "http.request.method"), "PUT");
  EXPECT_EQ(text_of(span, "http.response.status_code"), "409");
  EXPECT_EQ(text_of(span, "portico.audit_id"), "an-id");
  EXPECT_EQ(text_of(span, "portico.verb"), "update");
  EXPECT_EQ(text_of(span, "portico.group"), "config.porch.kpt.dev");
  EXPECT_EQ(text_of(span, "portico.resource"), "packagevariants/status");
  EXPECT_EQ(text_of(span, "portico.namespace"), "default");
  EXPECT_EQ(text_of(span, "portico.name"), "web");
  EXPECT_EQ(text_of(span, "enduser.id"), "grace") << "as whom it was done";
  EXPECT_FALSE(span.error) << "the sender's mistake";
  for (const SpanAttribute& each : span.attributes)
    EXPECT_EQ(text_of(span, each.key).find("hunter2"), std::string::npos) << each.key;
}

TEST(RequestSpan, FailsWhereTheServerDoes) {
  RecordingTracer tracer;
  {
    RequestSpan span(&tracer, request_of("GET", "/apis"));
    span.record(audited_as("ada"), http::Streaming{.head = {.status = 503}});
  }
  EXPECT_EQ(tracer.named("GET packagevariants/status").error, "Service Unavailable");
}

TEST(RequestSpan, HasNoNameThatSomebodyUnknownMadeUp) {
  RecordingTracer tracer;
  {
    RequestSpan span(&tracer, request_of("GET", "/api/v1/anything"));
    span.record(audited_as(std::nullopt), http::Response{.status = 401});
  }
  EXPECT_EQ(text_of(tracer.named("GET"), "http.response.status_code"), "401");
}

TEST(RequestSpan, ContinuesTheTraceOfItsSender) {
  RecordingTracer tracer;
  http::Request request = request_of("GET", "/apis");
  request.headers.set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  { const RequestSpan span(&tracer, request); }
  EXPECT_EQ(tracer.named("GET").context.trace_id(), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(span_id_text(tracer.named("GET").parent), "00f067aa0ba902b7");
  request.headers.set("traceparent", "nonsense");
  { const RequestSpan span(&tracer, request); }
  EXPECT_EQ(tracer.spans().back().parent, 0u);
}

TEST(RequestSpan, IsNoneForWhatIsAskedAllTheTime) {
  RecordingTracer tracer;
  for (const char* path :
       {"/healthz", "/livez", "/readyz?verbose", "/readyz/ping", "/metrics", "/metrics?a=b"})
    EXPECT_FALSE(RequestSpan(&tracer, request_of("GET", path))) << path;
  EXPECT_TRUE(RequestSpan(&tracer, request_of("GET", "/metricsfold")));
  EXPECT_FALSE(RequestSpan(nullptr, request_of("GET", "/apis")));
}

}  // namespace
}  // namespace portico::apiserver
