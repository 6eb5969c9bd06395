#include "engine/delegated_access.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "json/text.h"

namespace portico::engine {

using json::Value;

namespace {

constexpr std::chrono::seconds kKept{10};
constexpr std::size_t kBytesOfOne = 512;
constexpr std::string_view kOpen[] = {"/healthz", "/livez", "/readyz"};

Value strings(const std::vector<std::string>& all) {
  return Value::array(std::vector<Value>(all.begin(), all.end()));
}

Value with_text(Value out, std::string_view name, const std::string& text) {
  return text.empty() ? out : out.with(name, text);
}

}  // namespace

Value access_review_of(const access::User& user, const access::Request& request) {
  Value spec = Value::object({{"user", user.name}, {"groups", strings(user.groups)}});
  spec = with_text(std::move(spec), "uid", user.uid);
  for (const auto& [key, values] : user.extra) spec = spec.with_at({"extra", key}, strings(values));
  if (request.is_resource) {
    Value attributes = Value::object({{"verb", request.verb}});
    for (const auto& [name, text] :
         {std::pair<const char*, const std::string&>("group", request.group),
          {"version", request.version},
          {"resource", request.resource},
          {"subresource", request.subresource},
          {"name", request.name},
          {"namespace", request.ns}})
      attributes = with_text(std::move(attributes), name, text);
    spec = spec.with("resourceAttributes", std::move(attributes));
  } else {
    spec = spec.with("nonResourceAttributes",
                     Value::object({{"path", request.path}, {"verb", request.verb}}));
  }
  return Value::object({{"apiVersion", "authorization.k8s.io/v1"},
                        {"kind", "SubjectAccessReview"},
                        {"spec", std::move(spec)}});
}

access::Verdict verdict_of(const Value& review) {
  const Value& status = review["status"];
  return {.allowed = status["allowed"].as_bool() && !status["denied"].as_bool(),
          .reason = std::string(status["reason"].as_string())};
}

Result<access::User> user_of(const Value& review) {
  const Value& status = review["status"];
  const Value& user = status["user"];
  if (!status["authenticated"].as_bool() || user["username"].as_string().empty())
    return invalid("invalid bearer token").because(Reason::kUnauthorized);
  access::User out;
  out.name = user["username"].as_string();
  for (const Value& group : user["groups"].items()) out.groups.emplace_back(group.as_string());
  out.uid = std::string(user["uid"].as_string());
  for (const json::Member& member : user["extra"].members())
    for (const Value& value : member.value.items())
      out.extra[std::string(member.name())].emplace_back(value.as_string());
  return out;
}

std::string DelegatedAccess::named(std::string_view what) const {
  return fmt::format("{} {}", clock_.now().time_since_epoch() / kKept, sha256_hex(what));
}

Result<access::Verdict> DelegatedAccess::verdict(const access::User& user,
                                                 const access::Request& request) {
  if (!request.is_resource &&
      std::any_of(std::begin(kOpen), std::end(kOpen), [&](std::string_view open) {
        return request.path == open || request.path.starts_with(std::string(open) + "/");
      }))
    return access::Verdict{true, ""};
  const Value review = access_review_of(user, request);
  const std::string name = named(json::print(review));
  if (const auto known = verdicts_.with([&](auto& all) { return all.find(name); })) return *known;
  PORTICO_TRY(const Value answer,
              api_.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review),
              "SubjectAccessReview");
  const access::Verdict out = verdict_of(answer);
  verdicts_.with(
      [&](auto& all) { all.add(name, std::make_shared<const access::Verdict>(out), kBytesOfOne); });
  return out;
}

Result<access::User> DelegatedAccess::review(const std::string& token) {
  const Value review = Value::object({{"apiVersion", "authentication.k8s.io/v1"},
                                      {"kind", "TokenReview"},
                                      {"spec", Value::object({{"token", token}})}});
  PORTICO_TRY(const Value answer,
              api_.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", review),
              "TokenReview");
  return user_of(answer);
}

}  // namespace portico::engine
