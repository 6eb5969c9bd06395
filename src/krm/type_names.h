// Valid names of groups, versions and kinds.
#pragma once

#include "base/result.h"
#include "json/value.h"

namespace portico::krm {

/// Checks that an API can serve apiVersion and kind: "version" or "group/version", the group a DNS
/// subdomain (RFC 1123), the version a DNS label (RFC 1035), the kind [A-Za-z][A-Za-z0-9]* of at
/// most 63 characters. Otherwise kInvalid.
Result<Done> validate_type(const json::Value& object);

}  // namespace portico::krm
