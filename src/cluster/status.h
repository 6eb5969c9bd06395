// Converts error responses of a Kubernetes API (metav1.Status) to Errors. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace portico::cluster {

/// The Error for a response with HTTP status 400 or more: `status` is the HTTP status and `body`
/// the response body. Code and Reason follow Status.reason, or else the HTTP status. Causes are
/// kept. `what` is the message without the prefix that Kubernetes adds ("Operation cannot be
/// fulfilled on ..."), because the caller's place says the same. A single cause of an invalid
/// object becomes the error itself, located by its field. A body that is not a Status is cut to one
/// line.
Error error_of(int status, std::string_view body);

/// The same for a known Status: that of a watch's ERROR event.
Error error_of_status(const json::Value& status);

}  // namespace portico::cluster
