// Audit events of requests: audit.k8s.io/v1 Event, level Metadata. Pure, except for the port and
// random ids.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "access/request.h"
#include "base/time.h"
#include "http/message.h"
#include "json/value.h"
#include "kubeapi/request_info.h"

namespace portico::apiserver {

/// Receives audit events as text lines. Thread-safe.
class AuditLog {
 public:
  virtual ~AuditLog() = default;
  /// `line` is JSON without the line terminator.
  virtual void write(std::string line) = 0;
};

/// One request, filled in as far as it was processed.
struct Audited {
  TimePoint received;
  std::string id = {};                      // auditID, of the response, log lines and trace span
  std::optional<access::User> user = {};    // the authenticated sender; nullopt if unknown
  std::optional<access::User> acting = {};  // the impersonated user, if it differs
  kubeapi::RequestInfo info = {};
  std::string decision = {}, reason = {};  // of the authorization: "allow" or "forbid"
};

inline constexpr const char* kAuditIdHeader = "Audit-Id";  // of requests and responses
/// The id of a request: its header Audit-Id, which a kube-apiserver in front sends, if that
/// consists of 1 to 64 letters, digits, '-', '_' and '.'; else a random UUID.
std::string audit_id_of(const http::Request& request);

/// Whether the request is audited: every write, and every request that was rejected with 401 or
/// 403. Reviews are creates that store nothing and do not count as writes.
bool is_audited(const Audited& audited, int status);

/// The event of an answered request. It contains no bodies and no error messages that may quote
/// them: for content errors (400, 422), and for errors about Secrets and tokens except a 403, only
/// code and reason are recorded.
json::Value audit_event(const http::Request& request, const Audited& audited,
                        const http::Response& response, TimePoint now);

}  // namespace portico::apiserver
