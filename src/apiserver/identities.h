// The ports to who sends requests: a server asks them, and knows no certificate and no key.
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

/// Whom a token stands for, and for which of the audiences that were asked for.
struct ReviewedToken {
  access::User user;
  std::vector<std::string> audiences;
};

/// Finds out who sends a request. Safe from any thread.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  /// Reason::kUnauthorized where it cannot be told or is wrong.
  virtual Result<access::User> who(const http::Request& request) = 0;
  /// For a TokenReview; without audiences those of the server. Reason::kUnauthorized for a token
  /// that is not good.
  virtual Result<ReviewedToken> review(std::string_view token,
                                       const std::vector<std::string>& audiences) = 0;
};

/// For which service account a token is asked for, and for how long.
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

/// Issues tokens of service accounts. Safe from any thread.
class TokenIssuer {
 public:
  virtual ~TokenIssuer() = default;
  virtual Result<IssuedToken> issue(const TokenOrder& order) = 0;
};

}  // namespace portico::apiserver
