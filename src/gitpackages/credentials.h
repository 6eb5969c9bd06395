// What a Repository's Secret says about getting into its git repository. Pure.
#pragma once

#include <string>

#include "base/result.h"
#include "json/value.h"

namespace portico::gitpackages {

struct Credentials {
  std::string username, password;
  std::string bearer_token;  // instead of them
  bool operator==(const Credentials&) const = default;
};

/// By the Secret's type, as Porch has it: kubernetes.io/basic-auth holds username and password,
/// Opaque a bearerToken (or username and password, as other tools write it); each is base64. Other
/// types, a key that is missing or cannot be decoded, and values with control characters are
/// kInvalid. No error quotes a value.
Result<Credentials> credentials_of(const json::Value& secret);

}  // namespace portico::gitpackages
