// The entries required by Kubernetes' Secret types. Pure.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace portico::admission {

struct SecretFault {
  std::string field;  // "data[tls.crt]", in Kubernetes' notation
  std::string why;    // "": the entry is missing
};

/// What Kubernetes rejects for the Secret's type, with entries base64-encoded in `data`:
/// kubernetes.io/tls without tls.crt or tls.key, and so on. Empty for Opaque and unknown types. No
/// message quotes a value.
std::vector<SecretFault> secret_faults(const json::Value& secret);

/// The Secret's type; Opaque if it is not set.
std::string secret_type(const json::Value& secret);

}  // namespace portico::admission
