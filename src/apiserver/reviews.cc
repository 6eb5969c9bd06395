#include "apiserver/reviews.h"

#include "access/review.h"
#include "apiserver/body.h"
#include "apiserver/owners.h"
#include "apiserver/strategy.h"
#include "kubeapi/options.h"

namespace portico::apiserver {

using json::Value;
using kubeapi::StatusOr;

namespace {

std::vector<std::string> texts(const Value& list) {
  std::vector<std::string> out;
  for (const Value& item : list.items()) out.emplace_back(item.as_string());
  return out;
}

Value list_of(const std::vector<std::string>& texts) {
  return Value::array(std::vector<Value>(texts.begin(), texts.end()));
}

}  // namespace

Value user_info(const access::User& user) {
  Value out = Value::object({{"username", user.name}});
  if (!user.uid.empty()) out = out.with("uid", user.uid);
  if (!user.groups.empty()) out = out.with("groups", list_of(user.groups));
  Value extra = Value::object();
  for (const auto& [key, values] : user.extra) extra = extra.with(key, list_of(values));
  return extra.empty() ? out : out.with("extra", std::move(extra));
}

StatusOr<Outcome> Reviews::serve(Call& call) {
  if (!call.info.rest.empty() || !call.info.subresource.empty() || !call.info.name.empty())
    return kubeapi::no_such_path();
  if (call.type->namespaced == call.info.ns.empty()) return kubeapi::no_such_path();
  if (call.info.verb != "create") return kubeapi::no_such_method();
  PORTICO_TRY(const auto options, kubeapi::write_options(call.query, "CreateOptions", false));
  PORTICO_TRY(const Value sent, decode_object(call));
  PORTICO_TRY(Value review, taken_in(call, sent, options.validation));
  PORTICO_TRY(Value made, answer(call, review));
  return Outcome(Made{201, std::move(made)});
}

StatusOr<Value> Reviews::answer(const Call& call, const Value& review) {
  const std::string& kind = call.named().kind;
  if (kind == "SelfSubjectRulesReview") {
    PORTICO_TRY(Value rules, rights_.rules_of(call.user, review));
    return rules;
  }
  if (kind == "SelfSubjectReview")
    return review.with("metadata", Value::object({{"creationTimestamp", call.now}}))
        .with("status", Value::object({{"userInfo", user_info(call.user)}}));
  // The caller owns the fields of the review.
  const Value before = review.without("metadata").with("spec", Value::object()).without("status");
  const Value owned =
      fieldset::track(before, review, versions_of(call),
                      writer_of(call, call.query.get("fieldManager"), clock_.now()));
  if (kind == "TokenReview") return token_review(owned);
  return access_review(call, owned);
}

StatusOr<Value> Reviews::access_review(const Call& call, const Value& review) {
  const std::string& kind = call.named().kind;
  auto question =
      kind == "SelfSubjectAccessReview" ? access::self_access_question(review, call.user)
      : kind == "SubjectAccessReview"   ? access::access_question(review)
                                        : access::local_access_question(review, call.info.ns);
  if (!question) {
    kubeapi::StatusError refusal = kubeapi::status_error_of(question.error());
    if (refusal.details) refusal.details->group = call.named().group;
    return refusal;
  }
  PORTICO_TRY(const access::Verdict verdict, rights_.verdict(question->user, question->request));
  return access::answered(review, verdict);
}

StatusOr<Value> Reviews::token_review(const Value& review) {
  const std::string_view token = review["spec"]["token"].as_string();
  if (token.empty())
    return kubeapi::bad_request("token is required for TokenReview in authentication");
  const auto found = authenticator_.review(token, texts(review["spec"]["audiences"]));
  if (!found)
    return review.with("status",
                       Value::object({{"user", Value::object()}, {"error", found.error().what}}));
  Value status = Value::object({{"authenticated", true}, {"user", user_info(found->user)}});
  if (!found->audiences.empty()) status = status.with("audiences", list_of(found->audiences));
  return review.with("status", std::move(status));
}

}  // namespace portico::apiserver
