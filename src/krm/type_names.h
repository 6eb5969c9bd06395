// What groups, versions and kinds may be called.
#pragma once

#include "base/result.h"
#include "json/value.h"

namespace portico::krm {

/// Whether apiVersion and kind are such as an API can serve: "version" or "group/version", the
/// group a DNS subdomain (RFC 1123), the version a DNS label (RFC 1035), the kind
/// [A-Za-z][A-Za-z0-9]* of at most 63 characters. kInvalid.
Result<Done> validate_type(const json::Value& object);

}  // namespace portico::krm
