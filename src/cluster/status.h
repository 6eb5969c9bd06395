// What a Kubernetes API says instead of an answer (metav1.Status), as an Error. Pure.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace portico::cluster {

/// The Error of an answer with a status of 400 or more: `status` is the code of HTTP, `body` what
/// came with it. Code and Reason follow Status.reason, else the code of HTTP; causes are taken
/// over, and `what` is the message without what Kubernetes puts before a reason ("Operation cannot
/// be fulfilled on ..."), which the caller's place says. A single cause of an invalid object is the
/// error itself, with its field as place. Texts that are no Status are cut to one line.
Error error_of(int status, std::string_view body);

/// The same of a Status that is known to be one: of a watch's ERROR event.
Error error_of_status(const json::Value& status);

}  // namespace portico::cluster
