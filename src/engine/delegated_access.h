// Authentication and authorization of requests, delegated to the cluster's API server.
#pragma once

#include <string>
#include <string_view>

#include "access/request.h"
#include "apiserver/authorizer.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/lru_cache.h"
#include "base/result.h"
#include "cluster/api.h"
#include "identity/reviewed_tokens.h"

namespace portico::engine {

/// Uses TokenReview and SubjectAccessReview (authentication.k8s.io/v1, authorization.k8s.io/v1).
/// Answers are cached for at most ten seconds. Thread-safe.
class DelegatedAccess : public apiserver::Authorizer {
 public:
  /// Both must outlive it.
  DelegatedAccess(cluster::Api& api, const Clock& clock) : api_(api), clock_(clock) {}

  /// The health paths are always allowed, without a review.
  Result<access::Verdict> verdict(const access::User& user,
                                  const access::Request& request) override;
  /// kInvalid, Reason::kUnauthorized, for an invalid token.
  Result<access::User> user_of_token(const std::string& token) { return users_.user_of(token); }

 private:
  /// Cache key for the current period, which is part of it: entries expire with the period.
  std::string named(std::string_view what) const;
  Result<access::User> review(const std::string& token);

  cluster::Api& api_;
  const Clock& clock_;
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  Guarded<LruCache<access::Verdict>> verdicts_{kBytes};
  identity::ReviewedTokens users_{[this](const std::string& token) { return review(token); },
                                  clock_};
};

/// The SubjectAccessReview for a request. Pure.
json::Value access_review_of(const access::User& user, const access::Request& request);
/// The verdict in its status; an explicit denial wins. Pure.
access::Verdict verdict_of(const json::Value& review);
/// The user in the status of a TokenReview; kInvalid, Reason::kUnauthorized, if not authenticated.
/// Pure.
Result<access::User> user_of(const json::Value& review);

}  // namespace portico::engine
