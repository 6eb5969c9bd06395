// Who sends a request, and whether they may: asked of the cluster's API server.
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

/// By TokenReview and SubjectAccessReview (authentication.k8s.io/v1, authorization.k8s.io/v1). What
/// was answered counts for at most ten seconds more. Safe from any thread.
class DelegatedAccess : public apiserver::Authorizer {
 public:
  /// Both outlive it.
  DelegatedAccess(cluster::Api& api, const Clock& clock) : api_(api), clock_(clock) {}

  /// Whoever may ask whether the server lives is not asked for.
  Result<access::Verdict> verdict(const access::User& user,
                                  const access::Request& request) override;
  /// kInvalid, Reason::kUnauthorized, for a token that is not good.
  Result<access::User> user_of_token(const std::string& token) { return users_.user_of(token); }

 private:
  /// What is kept counts within one period only: its name says which.
  std::string named(std::string_view what) const;
  Result<access::User> review(const std::string& token);

  cluster::Api& api_;
  const Clock& clock_;
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  Guarded<LruCache<access::Verdict>> verdicts_{kBytes};
  identity::ReviewedTokens users_{[this](const std::string& token) { return review(token); },
                                  clock_};
};

/// The SubjectAccessReview of a question. Pure.
json::Value access_review_of(const access::User& user, const access::Request& request);
/// The answer in its status: denied is not allowed. Pure.
access::Verdict verdict_of(const json::Value& review);
/// The user in the status of a TokenReview; kInvalid, Reason::kUnauthorized, where there is none.
/// Pure.
Result<access::User> user_of(const json::Value& review);

}  // namespace portico::engine
