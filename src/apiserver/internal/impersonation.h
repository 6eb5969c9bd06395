// The impersonation headers. Pure.
#pragma once

#include "access/impersonate.h"
#include "base/result.h"
#include "http/headers.h"

namespace portico::apiserver {

/// Impersonate-User, -Uid, -Group and -Extra-KEY, whose keys are percent-encoded and lower case.
/// Reason::kBadRequest for a key that cannot be decoded.
Result<access::Impersonation> impersonation_of(const http::Headers& headers);

}  // namespace portico::apiserver
