// ../shared/conformance/kube-api/access, twice. First without a server: roles and bindings that a
// case writes go into a policy; refusals, escalation, the shape of objects and reviews are compared
// with the recording. Then replayed on Portico's server.
#include <set>

#include "access/aggregate.h"
#include "access/builtin.h"
#include "access/escalation.h"
#include "access/forbidden.h"
#include "access/review.h"
#include "access/validate.h"
#include "conformance/internal/kube_api.h"
#include "conformance/internal/kube_replay.h"
#include "conformance/support.h"
#include "json/text.h"
#include "krm/meta.h"

namespace portico::conformance {
namespace {

using access::User;
using json::Value;

/// The state of a case: the policy, and the objects to which a user may apply changes.
class AccessReplay {
 public:
  AccessReplay() {
    for (const Value& object : access::builtin_objects()) put(object);
  }

  /// "" if the response matches the recorded one, as far as functions can tell.
  std::string run(const Value& step) {
    const Value& request = step["request"];
    const Value& response = step["response"];
    const std::string path = placeholders_.filled(request["path"].as_string());
    KubeTarget target = target_of(request["method"].as_string(), path);
    const User user = user_of(request["user"]);
    const Value body = placeholders_.filled(request["body"]);
    const bool applies = header_of(request, "Content-Type") == "application/apply-patch+yaml";

    Result<Done> allowed = access::allow(policy_, user, target.request);
    if (allowed && applies && !paths_.contains(path.substr(0, path.find('?')))) {
      target.request.verb = "create";
      allowed = access::allow(policy_, user, target.request);
    }
    if (!allowed) return against(response, allowed.error(), details_of(target.request));
    if (response["status"].as_int() == 403 && target.request.group != access::kGroup)
      return "allowed: want " + json::print(response["body"]) + "\n";
    if (target.request.group == "authorization.k8s.io")
      return review(step, target.request, user, body);
    if (target.request.group == access::kGroup) return roles(target.request, response, user, body);
    remember_token(target.request, response);
    if (response["status"].as_int() == 201)
      paths_.insert(path.substr(0, path.find('?')) + "/" + std::string(krm::name_of(body)));
    return {};
  }

 private:
  static Value details_of(const access::Request& request) {
    Value details = Value::object();
    if (!request.is_resource) return details;
    if (!request.name.empty()) details = details.with("name", request.name);
    if (!request.group.empty()) details = details.with("group", request.group);
    return details.with("kind", request.resource);
  }

  std::string against(const Value& response, const Error& error, const Value& details) {
    Value status = with_sorted_causes(status_of(error, details));
    if (!status.contains("details")) status = status.with("details", Value::object());
    if (!response["body"].contains("details") && status["details"].empty())
      status = status.without("details");
    return placeholders_.difference(response["body"], status);
  }

  User user_of(const Value& given) const {
    if (given.is_null())
      return {.name = "admin", .groups = {std::string(access::kMasters), "system:authenticated"}};
    if (given.is_string())
      return {.name = "system:anonymous", .groups = {"system:unauthenticated"}};
    if (given.contains("token")) return tokens_.at(std::string(given["token"].as_string()));
    User user{.name = std::string(given["name"].as_string()), .groups = {}};
    for (const Value& group : given["groups"].items()) user.groups.emplace_back(group.as_string());
    user.groups.emplace_back("system:authenticated");
    return user;
  }

  void remember_token(const access::Request& request, const Value& response) {
    if (request.subresource != "token") return;
    tokens_[std::string(response["body"]["status"]["token"].as_string())] = {
        .name = access::service_account_user(request.ns, request.name),
        .groups = {"system:serviceaccounts", "system:serviceaccounts:" + request.ns,
                   "system:authenticated"}};
  }

  void put(const Value& object) {
    policy_.put(object);
    objects_[krm::object_key(object).text()] = object;
  }

  std::string review(const Value& step, const access::Request& request, const User& user,
                     const Value& body) {
    const Value& response = step["response"];
    const auto answer = [&]() -> Result<Value> {
      if (request.resource == "selfsubjectrulesreviews")
        return access::rules_review(policy_, user, body);
      auto question = request.resource == "subjectaccessreviews" ? access::access_question(body)
                      : request.resource == "selfsubjectaccessreviews"
                          ? access::self_access_question(body, user)
                          : access::local_access_question(body, request.ns);
      PORTICO_TRY(const access::Question asked, std::move(question));
      return access::answered(body, policy_.authorize(asked.user, asked.request));
    }();
    if (!answer)
      return against(response, answer.error(),
                     answer.error().causes.empty()
                         ? Value::object()
                         : Value::object({{"group", "authorization.k8s.io"}}));
    Value want = response["body"]["status"], have = (*answer)["status"];
    for (const Value& sort : step["sort"].items()) {
      const std::string_view path = sort["path"].as_string();
      const std::string_view list = path.substr(path.find('.') + 1);
      std::vector<Value> items(have[list].items().begin(), have[list].items().end());
      std::stable_sort(items.begin(), items.end(), [&](const Value& a, const Value& b) {
        return json::print(a[sort["by"].as_string()]) < json::print(b[sort["by"].as_string()]);
      });
      have = have.with(list, Value::array(std::move(items)));
    }
    return placeholders_.difference(want, have);
  }

  /// Handles writes and reads of roles and bindings.
  std::string roles(const access::Request& request, const Value& response, const User& user,
                    const Value& body) {
    const std::string kind = request.resource == "roles"          ? "Role"
                             : request.resource == "clusterroles" ? "ClusterRole"
                             : request.resource == "rolebindings" ? "RoleBinding"
                                                                  : "ClusterRoleBinding";
    const std::string name(request.name.empty() ? krm::name_of(body) : request.name);
    krm::ObjectKey key{{std::string(access::kGroup), kind}, request.ns, name};
    const auto found = objects_.find(key.text());
    const Value there = found == objects_.end() ? Value() : found->second;
    const Value stored = request.verb == "create" ? Value() : there;
    Value wanted = request.verb == "patch" ? merged(stored, body) : body;
    if (request.verb == "get") {
      std::vector<Value> all;
      for (const auto& [text, object] : objects_)
        if (object["kind"].as_string() == "ClusterRole") all.push_back(object);
      const auto changed = access::aggregated(stored, all);
      if (changed) put(*changed);
      return placeholders_.difference(response["body"]["rules"],
                                      (changed ? *changed : stored)["rules"]);
    }
    if (!request.ns.empty()) wanted = wanted.with_at({"metadata", "namespace"}, request.ns);
    wanted = access::with_defaults(wanted);
    const bool is_role = kind.ends_with("Role");
    Result<Done> done = is_role ? access::check_role(policy_, user, stored, wanted, request.name)
                                : access::check_binding(policy_, user, stored, wanted);
    if (done) done = access::validate(wanted, stored);
    Value details =
        Value::object({{"name", name}, {"group", std::string(access::kGroup)}, {"kind", kind}});
    if (!done) return against(response, done.error(), details);
    if (request.verb == "create" && !there.is_null())
      return against(
          response,
          already_exists("{}.{} \"{}\" already exists", request.resource, access::kGroup, name),
          details.with("kind", request.resource));
    if (response["status"].as_int() >= 400)
      return "taken: want " + json::print(response["body"]) + "\n";
    put(wanted);
    // How Go structs encode empty lists is left to the server.
    for (const char* field : {"rules", "roleRef", "subjects", "aggregationRule"}) {
      const Value want = response["body"][field].empty() ? Value() : response["body"][field];
      const Value have = wanted[field].empty() ? Value() : wanted[field];
      if (std::string text = placeholders_.difference(want, have); !text.empty())
        return field + text;
    }
    return {};
  }

  static Value merged(const Value& stored, const Value& patch) {
    Value out = stored;
    for (const json::Member& label : patch["metadata"]["labels"].members())
      out = out.with_at({"metadata", "labels", label.name()}, label.value);
    return out;
  }

  access::Policy policy_;
  std::map<std::string, Value> objects_;
  std::map<std::string, User> tokens_;
  std::set<std::string> paths_;
  Placeholders placeholders_;
};

/// Cases about authentication, which functions over policies do not cover.
std::optional<std::string> reason_to_skip(std::string_view name) {
  for (const char* one :
       {"bad-credentials", "token-after-deletion", "token-review", "self-subject-review"})
    if (name == one) return "who somebody is: needs the server";
  return std::nullopt;
}

CaseResult run_case(const std::string& name, const std::filesystem::path& file) {
  if (const auto reason = reason_to_skip(name)) return skipped(name, *reason);
  const auto exchanges = read_exchanges(file);
  if (!exchanges) return failed(name, exchanges.error().text() + "\n");
  AccessReplay replay;
  int number = 0;
  for (const Value& step : (*exchanges)["steps"].items()) {
    ++number;
    if (!step.contains("request")) continue;
    if (const std::string text = replay.run(step); !text.empty())
      return failed(name, fmt::format("step {}: {}", number, text));
  }
  return passed(name);
}

}  // namespace

std::vector<CaseResult> run_kube_api_access(const std::filesystem::path& data) {
  std::vector<CaseResult> results;
  for (const auto& file : files_with(data, ".yaml")) {
    const std::string name = file.stem().string();
    results.push_back(guarded(name, [&] { return run_case(name, file); }));
  }
  for (CaseResult& one : replay_kube_api(data, "server/")) results.push_back(std::move(one));
  return results;
}

}  // namespace portico::conformance
