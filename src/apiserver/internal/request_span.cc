#include "apiserver/internal/request_span.h"

#include <algorithm>
#include <array>

namespace portico::apiserver {
namespace {

Tracer* tracer_for(Tracer* tracer, const http::Request& request) {
  return tracer == nullptr || is_polled(request.path()) ? nullptr : tracer;
}

}  // namespace

bool is_polled(std::string_view path) {
  constexpr std::array<std::string_view, 4> kPaths{"/healthz", "/livez", "/readyz", "/metrics"};
  return std::any_of(kPaths.begin(), kPaths.end(), [&](std::string_view each) {
    return path.starts_with(each) && (path.size() == each.size() || path[each.size()] == '/');
  });
}

std::string resource_text(const kubeapi::RequestInfo& info) {
  if (!info.is_resource) return "";
  return info.subresource.empty() ? info.resource : info.resource + "/" + info.subresource;
}

RequestSpan::RequestSpan(Tracer* tracer, const http::Request& request)
    : span_(
          tracer_for(tracer, request), request.method, SpanKind::kServer,
          tracer == nullptr ? std::nullopt : parse_traceparent(request.headers.get("traceparent"))),
      method_(request.method) {
  if (!span_) return;
  span_.set("http.request.method", request.method);
  span_.set("url.path", request.path());
  span_.set("user_agent.original", request.headers.get("User-Agent"));
  if (request.peer) span_.set("client.address", request.peer->address);
}

void RequestSpan::record(const Audited& audited, const http::Answer& answer) {
  if (!span_) return;
  const kubeapi::RequestInfo& info = audited.info;
  const std::string resource = resource_text(info);
  // An unauthenticated request may name anything, so it does not rename the span.
  if (audited.user && !resource.empty()) span_.rename(fmt::format("{} {}", method_, resource));
  span_.set("portico.audit_id", audited.id);
  span_.set("portico.verb", info.verb);
  span_.set("portico.group", info.group);
  span_.set("portico.resource", resource);
  span_.set("portico.namespace", info.ns);
  span_.set("portico.name", info.name);
  const auto& user = audited.acting ? audited.acting : audited.user;
  if (user) span_.set("enduser.id", user->name);
  const auto* const streaming = std::get_if<http::Streaming>(&answer);
  const int status =
      streaming != nullptr ? streaming->head.status : std::get<http::Response>(answer).status;
  span_.set("http.response.status_code", status);
  if (status >= 500) span_.fail(http::reason_phrase(status));
}

}  // namespace portico::apiserver
