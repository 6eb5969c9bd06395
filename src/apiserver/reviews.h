// Access and identity reviews: objects that are answered and not stored.
#pragma once

#include "apiserver/call.h"
#include "apiserver/identities.h"
#include "apiserver/rights.h"
#include "base/clock.h"

namespace portico::apiserver {

/// Creates of SelfSubjectAccessReview, SubjectAccessReview, LocalSubjectAccessReview,
/// SelfSubjectRulesReview, SelfSubjectReview and TokenReview. All arguments must outlive it.
class Reviews : public ResourceHandler {
 public:
  Reviews(Rights& rights, Authenticator& authenticator, const Clock& clock)
      : rights_(rights), authenticator_(authenticator), clock_(clock) {}
  kubeapi::StatusOr<Outcome> serve(Call& call) override;

 private:
  kubeapi::StatusOr<json::Value> answer(const Call& call, const json::Value& review);
  kubeapi::StatusOr<json::Value> access_review(const Call& call, const json::Value& review);
  kubeapi::StatusOr<json::Value> token_review(const json::Value& review);

  Rights& rights_;
  Authenticator& authenticator_;
  const Clock& clock_;
};

/// The UserInfo object of authentication.k8s.io.
json::Value user_info(const access::User& user);

}  // namespace portico::apiserver
