// What a Secret of one of Kubernetes' types must have. Pure.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace portico::admission {

struct SecretFault {
  std::string field;  // "data[tls.crt]", as Kubernetes writes it
  std::string why;    // "": it is missing
};

/// Of a Secret whose entries are in `data`, in base64, what Kubernetes refuses for its type:
/// kubernetes.io/tls without tls.crt or tls.key, and so on. Empty for Opaque and for types that
/// Kubernetes does not know. Nothing quotes a value.
std::vector<SecretFault> secret_faults(const json::Value& secret);

/// Its type; Opaque where it says none.
std::string secret_type(const json::Value& secret);

}  // namespace portico::admission
