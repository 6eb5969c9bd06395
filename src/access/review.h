// The objects of authorization.k8s.io, by which clients query their rights. Pure.
#pragma once

#include <string_view>

#include "access/policy.h"
#include "access/request.h"
#include "base/result.h"
#include "json/value.h"

namespace portico::access {

/// The query of an access review.
struct Question {
  User user;
  Request request;
};

/// From a SelfSubjectAccessReview sent by `who`. kInvalid with causes and Kubernetes' message.
Result<Question> self_access_question(const json::Value& review, const User& who);
/// From a SubjectAccessReview.
Result<Question> access_question(const json::Value& review);
/// From a LocalSubjectAccessReview that was sent to namespace `ns`.
Result<Question> local_access_question(const json::Value& review, std::string_view ns);

/// The review with its status.
json::Value answered(const json::Value& review, const Verdict& verdict);

/// A SelfSubjectRulesReview with all rules that apply to `who` in its namespace. It is never marked
/// incomplete; bound roles that do not exist are reported in evaluationError. Reason::kBadRequest
/// if it has no namespace.
Result<json::Value> rules_review(const Policy& policy, const User& who, const json::Value& review);

}  // namespace portico::access
