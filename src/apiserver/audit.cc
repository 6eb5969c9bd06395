#include "apiserver/audit.h"

#include <algorithm>
#include <chrono>

#include "apiserver/internal/random_uuid.h"
#include "apiserver/reviews.h"
#include "json/text.h"

namespace portico::apiserver {

using json::Value;

namespace {

// Formats like metav1.MicroTime.
std::string micro_time(TimePoint time) {
  const auto since = time.time_since_epoch();
  const auto micros = std::chrono::floor<std::chrono::microseconds>(since) -
                      std::chrono::floor<std::chrono::seconds>(since);
  std::string out = rfc3339(time);
  out.insert(out.size() - 1, fmt::format(".{:06}", micros.count()));
  return out;
}

bool is_review(const kubeapi::RequestInfo& info) {
  return info.group == "authorization.k8s.io" || info.group == "authentication.k8s.io";
}

bool is_secret(const kubeapi::RequestInfo& info) {
  return info.resource == "secrets" || info.subresource == "token" || is_review(info);
}

Value object_ref(const kubeapi::RequestInfo& info) {
  Value out = Value::object();
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out = out.with(name, value);
  };
  add("resource", info.resource);
  add("namespace", info.ns);
  add("name", info.name);
  add("apiGroup", info.group);
  add("apiVersion", info.version);
  add("subresource", info.subresource);
  return out;
}

Value response_status(const kubeapi::RequestInfo& info, const http::Response& response) {
  Value out = Value::object({{"metadata", Value::object()}, {"code", response.status}});
  if (response.status < 400) return out;
  const auto body = json::parse(response.body);
  if (!body || (*body)["kind"].as_string() != "Status") return out;
  out = out.with("status", "Failure");
  if (const Value& reason = (*body)["reason"]; reason.is_string()) out = out.with("reason", reason);
  const bool quotes = response.status == 400 || response.status == 422 || is_secret(info);
  if (!quotes || response.status == 403) out = out.with("message", (*body)["message"]);
  return out;
}

}  // namespace

std::string audit_id_of(const http::Request& request) {
  constexpr std::size_t kLongest = 64;
  constexpr std::string_view kAllowed =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.";
  const std::string_view sent = request.headers.get(kAuditIdHeader);
  const bool usable = !sent.empty() && sent.size() <= kLongest &&
                      sent.find_first_not_of(kAllowed) == std::string_view::npos;
  return usable ? std::string(sent) : random_uuid();
}

bool is_audited(const Audited& audited, int status) {
  if (status == 401 || status == 403) return true;
  const std::string& verb = audited.info.verb;
  const bool reads =
      verb == "get" || verb == "list" || verb == "watch" || verb == "head" || verb == "options";
  return !reads && !is_review(audited.info);
}

Value audit_event(const http::Request& request, const Audited& audited,
                  const http::Response& response, TimePoint now) {
  Value out = Value::object({{"kind", "Event"},
                             {"apiVersion", "audit.k8s.io/v1"},
                             {"level", "Metadata"},
                             {"auditID", audited.id},
                             {"stage", "ResponseComplete"},
                             {"requestURI", request.target},
                             {"verb", audited.info.verb},
                             {"user", audited.user ? user_info(*audited.user) : Value::object()}});
  if (audited.acting) out = out.with("impersonatedUser", user_info(*audited.acting));
  if (request.peer && !request.peer->address.empty())
    out = out.with("sourceIPs", Value::array({request.peer->address}));
  if (const std::string_view agent = request.headers.get("User-Agent"); !agent.empty())
    out = out.with("userAgent", agent);
  if (audited.info.is_resource) out = out.with("objectRef", object_ref(audited.info));
  out = out.with("responseStatus", response_status(audited.info, response))
            .with("requestReceivedTimestamp", micro_time(audited.received))
            .with("stageTimestamp", micro_time(now));
  if (audited.decision.empty()) return out;
  return out.with("annotations", Value::object({{"authorization.k8s.io/decision", audited.decision},
                                                {"authorization.k8s.io/reason", audited.reason}}));
}

}  // namespace portico::apiserver
