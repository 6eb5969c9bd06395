// A short-lived cache of token reviews by another server.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "access/request.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/lru_cache.h"
#include "base/result.h"

namespace portico::identity {

/// Returns the user of a token: kInvalid with Reason::kUnauthorized for an invalid token; any other
/// error means that the review failed.
using TokenReviewer = std::function<Result<access::User>(const std::string& token)>;

/// Calls `ask` and caches the answer for at most ten seconds, including rejections, so that
/// repeating an invalid token is cheap. The cache is bounded, and invalid tokens do not evict valid
/// ones. Failed reviews are not cached. Tokens are stored as hashes. Thread-safe.
class ReviewedTokens {
 public:
  /// `clock` must outlive this.
  ReviewedTokens(TokenReviewer ask, const Clock& clock) : ask_(std::move(ask)), clock_(clock) {}

  Result<access::User> user_of(const std::string& token);

 private:
  static constexpr std::size_t kGoodBytes = std::size_t{4} << 20, kBadBytes = std::size_t{1} << 20;

  const TokenReviewer ask_;
  const Clock& clock_;
  Guarded<LruCache<access::User>> good_{kGoodBytes};
  Guarded<LruCache<Error>> bad_{kBadBytes};
};

}  // namespace portico::identity
