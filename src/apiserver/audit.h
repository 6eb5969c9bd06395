// What is kept of requests for those who look later: audit.k8s.io/v1 Event, level Metadata. Pure,
// but for the port.
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

/// Takes events as lines. Safe from any thread.
class AuditLog {
 public:
  virtual ~AuditLog() = default;
  /// A line of JSON, without its end.
  virtual void write(std::string line) = 0;
};

/// One request, as far as it came.
struct Audited {
  TimePoint received;
  std::string id = {};                      // the event's auditID, and its trace's
  std::optional<access::User> user = {};    // who sent it; nothing where that is not known
  std::optional<access::User> acting = {};  // as whom, where it is another
  kubeapi::RequestInfo info = {};
  std::string decision = {}, reason = {};  // of the authorization: "allow", "forbid"
};

/// Whether it is kept: every write, and every request that was refused to who sent it (401, 403).
/// What is only asked (reviews) is no write.
bool is_audited(const Audited& audited, int status);

/// The event of an answered request. Bodies are not in it, nor what error messages quote of them:
/// of refusals about content (400, 422) and of all about Secrets and tokens only code and reason
/// are kept.
json::Value audit_event(const http::Request& request, const Audited& audited,
                        const http::Response& response, TimePoint now);

}  // namespace portico::apiserver
