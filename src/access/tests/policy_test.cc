#include "access/policy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "access/aggregate.h"
#include "access/builtin.h"
#include "access/forbidden.h"
#include "access/reconcile.h"
#include "access/tests/support.h"
#include "testing/cases.h"

namespace portico::access {
namespace {

using portico::testing::Case;
using portico::testing::case_name;
using portico::testing::cases;

/// "USER[,GROUP...] VERB RESOURCE[.GROUP][/SUBRESOURCE] [NAME] [-n NAMESPACE]", or a path that
/// begins with '/' instead of the resource.
std::string ask(const Policy& policy, const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  const User user = user_of(words.at(0));
  Request request{.verb = words.at(1)};
  std::string what = words.at(2);
  if (what.starts_with("/")) {
    request.is_resource = false;
    request.path = what;
  } else {
    if (const auto slash = what.find('/'); slash != std::string::npos) {
      request.subresource = what.substr(slash + 1);
      what.resize(slash);
    }
    if (const auto dot = what.find('.'); dot != std::string::npos) {
      request.group = what.substr(dot + 1);
      what.resize(dot);
    }
    request.resource = what;
  }
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "-n")
      request.ns = words.at(++i);
    else
      request.name = words[i];
  }
  const Verdict verdict = policy.authorize(user, request);
  if (verdict.allowed) return "yes " + verdict.reason;
  return "no " + forbidden(user, request, verdict.reason).text();
}

class Authorize : public ::testing::TestWithParam<Case> {};

/// Evaluates `ask` against `objects`, then applies `change` and `remove` ("KIND NAMESPACE NAME",
/// "-" for none), and evaluates `ask2`.
TEST_P(Authorize, MatchesItsFile) {
  std::vector<json::Value> objects = documents(GetParam()["objects"]);
  if (GetParam().has("builtin"))
    for (const json::Value& object : builtin_objects()) objects.push_back(object);
  Policy policy = policy_of(objects);
  std::string out;
  for (const std::string& line : lines_of(GetParam()["ask"])) out += ask(policy, line) + "\n";
  GetParam().expect("want", out);
  if (!GetParam().has("ask2")) return;

  for (const json::Value& object : documents(GetParam()["change"])) policy.put(object);
  for (const std::string& line : lines_of(GetParam()["remove"])) {
    const auto words = words_of(line);
    policy.remove(words.at(0), words.at(1) == "-" ? "" : words.at(1), words.at(2));
  }
  out.clear();
  for (const std::string& line : lines_of(GetParam()["ask2"])) out += ask(policy, line) + "\n";
  GetParam().expect("want2", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Authorize, ::testing::ValuesIn(cases("access/tests/data/authorize")),
                         case_name);

class Aggregate : public ::testing::TestWithParam<Case> {};

/// Aggregates each role of the file once, in order.
TEST_P(Aggregate, MatchesItsFile) {
  std::vector<json::Value> roles = documents(GetParam()["roles"]);
  std::string out;
  for (json::Value& role : roles) {
    const auto changed = aggregated(role, roles);
    if (!changed) continue;
    role = *changed;
    out += json::print(role) + "\n";
    EXPECT_FALSE(aggregated(role, roles)) << "done once, there is nothing to do";
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Aggregate, ::testing::ValuesIn(cases("access/tests/data/aggregate")),
                         case_name);

class Reconcile : public ::testing::TestWithParam<Case> {};

/// Pairs of a built-in object and its stored version.
TEST_P(Reconcile, MatchesItsFile) {
  const std::vector<json::Value> all = documents(GetParam()["objects"]);
  std::string out;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    const auto changed = reconciled(all[i], all[i + 1]);
    out += !changed ? "as it is\n"
                    : (changed->anew ? "anew " : "") + json::print(changed->object) + "\n";
    if (changed) {
      EXPECT_FALSE(reconciled(all[i], changed->object)) << "done once";
    }
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Reconcile, ::testing::ValuesIn(cases("access/tests/data/reconcile")),
                         case_name);

// A policy changed step by step gives the same answers as one that is built at once.

std::string pick(const std::vector<std::string>& texts) {
  return texts[*rc::gen::inRange<std::size_t>(0, texts.size())];
}

json::Value some_object() {
  const std::string kind = pick({"Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"});
  json::Value object =
      json::Value::object({{"apiVersion", "rbac.authorization.k8s.io/v1"}, {"kind", kind}});
  object = object.with_at({"metadata", "name"}, pick({"a", "b", "c"}));
  if (!kind.starts_with("Cluster"))
    object = object.with_at({"metadata", "namespace"}, pick({"x", "y"}));
  const auto list = [](const std::string& text) { return json::Value::array({text}); };
  if (kind.ends_with("Role"))
    return object.with("rules", json::Value::array({json::Value::object(
                                    {{"apiGroups", list("")},
                                     {"resources", list(pick({"configmaps", "secrets", "*"}))},
                                     {"verbs", list(pick({"get", "list", "*"}))}})}));
  std::vector<json::Value> subjects;
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    subjects.push_back(json::Value::object(
        {{"kind", pick({"User", "Group", "ServiceAccount"})}, {"name", pick({"ada", "team"})}}));
  return object
      .with("roleRef", json::Value::object({{"apiGroup", "rbac.authorization.k8s.io"},
                                            {"kind", pick({"Role", "ClusterRole"})},
                                            {"name", pick({"a", "b", "c"})}}))
      .with("subjects", json::Value::array(std::move(subjects)));
}

RC_GTEST_PROP(PolicyProperty, ChangesAddUp, ()) {
  Policy changed;
  std::map<std::string, json::Value> stored;
  for (int i = *rc::gen::inRange(1, 20); i > 0; --i) {
    const json::Value object = some_object();
    const auto key = krm::object_key(object);
    if (*rc::gen::inRange(0, 3) == 0) {
      changed.remove(key.type.kind, key.ns, key.name);
      stored.erase(key.text());
    } else {
      changed.put(object);
      stored[key.text()] = object;
    }
  }
  Policy built;
  for (const auto& [key, object] : stored) built.put(object);
  for (const char* user : {"ada", "ben,team", "system:serviceaccount:x:ada"})
    for (const char* verb : {"get", "list", "delete"})
      for (const char* resource : {"configmaps", "secrets"})
        for (const char* ns : {"", "x", "y"}) {
          const Request request{.verb = verb, .resource = resource, .ns = ns};
          RC_ASSERT(changed.authorize(user_of(user), request) ==
                    built.authorize(user_of(user), request));
        }
}

}  // namespace
}  // namespace portico::access
