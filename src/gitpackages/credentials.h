// The git credentials in a Repository's Secret. Pure.
#pragma once

#include <string>

#include "base/result.h"
#include "json/value.h"

namespace portico::gitpackages {

struct Credentials {
  std::string username, password;
  std::string bearer_token;  // instead of username and password
  bool operator==(const Credentials&) const = default;
};

/// By the Secret's type, as in Porch: kubernetes.io/basic-auth has username and password, Opaque a
/// bearerToken (or username and password, as other tools write it); each is base64. kInvalid for
/// other types, a key that is missing or cannot be decoded, and values with control characters. No
/// error quotes a value.
Result<Credentials> credentials_of(const json::Value& secret);

}  // namespace portico::gitpackages
