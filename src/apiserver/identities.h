// The ports for authentication and tokens: the server itself handles no certificates or keys.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "access/request.h"
#include "base/result.h"
#include "base/time.h"
#include "http/message.h"

namespace portico::apiserver {

/// The user of a token, and those of the requested audiences that it is valid for.
struct ReviewedToken {
  access::User user;
  std::vector<std::string> audiences;
};

/// Authenticates requests. Thread-safe.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Reason::kUnauthorized if the credentials are missing or wrong.
  virtual Result<access::User> who(const http::Request& request) = 0;
  /// For a TokenReview; without audiences, the server's are used. Reason::kUnauthorized if the
  /// token is invalid.
  virtual Result<ReviewedToken> review(std::string_view token,
                                       const std::vector<std::string>& audiences) = 0;
};

/// A token request: for which service account, audiences and lifetime.
struct TokenOrder {
  std::string ns, name, uid;
  std::vector<std::string> audiences;  // none: the server's
  std::chrono::seconds lifetime{3600};
};
struct IssuedToken {
  std::string token;
  TimePoint expires;
  std::vector<std::string> audiences;
};

/// Issues service account tokens. Thread-safe.
class TokenIssuer {
 public:
  virtual ~TokenIssuer() = default;
  virtual Result<IssuedToken> issue(const TokenOrder& order) = 0;
};

}  // namespace portico::apiserver
