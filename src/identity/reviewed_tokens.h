// What somebody else has said of bearer tokens, kept for a short time.
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

/// Whose token it is: kInvalid, Reason::kUnauthorized, for one that is not good; any other error
/// says that it cannot be told now.
using TokenReviewer = std::function<Result<access::User>(const std::string& token)>;

/// Asks `ask`, and keeps the answer for ten seconds at most: that a token is not good, too, so that
/// who repeats it costs nothing. What is kept is bounded, and bad tokens push out no good ones. An
/// answer that cannot be had is not kept. Tokens are known by their hash. Safe from any thread.
class ReviewedTokens {
 public:
  /// `clock` outlives it.
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
