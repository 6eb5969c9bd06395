// The objects of authorization.k8s.io by which clients ask what is allowed. Pure.
#pragma once

#include <string_view>

#include "access/policy.h"
#include "access/request.h"
#include "base/result.h"
#include "json/value.h"

namespace portico::access {

/// What an access review asks.
struct Question {
  User user;
  Request request;
};

/// Of a SelfSubjectAccessReview, about `who` sends it. kInvalid with causes and Kubernetes' text.
Result<Question> self_access_question(const json::Value& review, const User& who);
/// Of a SubjectAccessReview.
Result<Question> access_question(const json::Value& review);
/// Of a LocalSubjectAccessReview that was sent to namespace `ns`.
Result<Question> local_access_question(const json::Value& review, std::string_view ns);

/// The review with its status.
json::Value answered(const json::Value& review, const Verdict& verdict);

/// A SelfSubjectRulesReview with all rules that apply to `who` in its namespace. Never incomplete;
/// roles that are bound and not there are told as evaluationError. Reason::kBadRequest without a
/// namespace.
Result<json::Value> rules_review(const Policy& policy, const User& who, const json::Value& review);

}  // namespace portico::access
