// The headers by which a client acts as somebody else. Pure.
#pragma once

#include "access/impersonate.h"
#include "base/result.h"
#include "http/headers.h"

namespace portico::apiserver {

/// Impersonate-User, -Uid, -Group and -Extra-KEY, whose keys are percent-encoded and in small
/// letters. Reason::kBadRequest for a key that cannot be decoded.
Result<access::Impersonation> impersonation_of(const http::Headers& headers);

}  // namespace portico::apiserver
