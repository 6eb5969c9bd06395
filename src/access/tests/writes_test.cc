// Checks before a write: escalation, validation, impersonation.
#include <gtest/gtest.h>

#include "access/builtin.h"
#include "access/escalation.h"
#include "access/impersonate.h"
#include "access/required_rights.h"
#include "access/review.h"
#include "access/tests/support.h"
#include "access/validate.h"
#include "testing/cases.h"

namespace portico::access {
namespace {

using json::Value;
using portico::testing::Case;
using portico::testing::case_name;
using portico::testing::cases;

std::string allowed(const Done&) { return "allowed\n"; }

class Escalation : public ::testing::TestWithParam<Case> {};

/// `user` writes each document of `wanted`; `stored` has the existing object of the same name.
TEST_P(Escalation, MatchesItsFile) {
  std::vector<Value> objects = documents(GetParam()["objects"]);
  for (const Value& object : builtin_objects()) objects.push_back(object);
  const Policy policy = policy_of(objects);
  const User user = user_of(words_of(GetParam()["user"]).at(0));
  const std::vector<Value> stored = documents(GetParam()["stored"]);
  std::string out;
  for (const Value& wanted : documents(GetParam()["wanted"])) {
    Value before;
    for (const Value& one : stored)
      if (krm::object_key(one) == krm::object_key(wanted)) before = one;
    const std::string_view url_name = before.is_null() ? "" : krm::name_of(wanted);
    const bool is_role = wanted["kind"].as_string().ends_with("Role");
    out += outcome(is_role ? check_role(policy, user, before, wanted, url_name)
                           : check_binding(policy, user, before, wanted),
                   allowed);
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Escalation,
                         ::testing::ValuesIn(cases("access/tests/data/escalation")), case_name);

class Demands : public ::testing::TestWithParam<Case> {};

/// The demands of each document of `wanted`; `stored` has the existing object of the same name.
TEST_P(Demands, MatchTheirFile) {
  const std::vector<Value> stored = documents(GetParam()["stored"]);
  std::string out;
  for (const Value& wanted : documents(GetParam()["wanted"])) {
    Value before;
    for (const Value& one : stored)
      if (krm::object_key(one) == krm::object_key(wanted)) before = one;
    out += std::string(krm::name_of(wanted)) + "\n";
    for (const auto& [request, why] : demands(before, wanted))
      out += fmt::format("  {} {}{}{} {:?} in {}: {}\n", request.verb, request.resource,
                         request.subresource.empty() ? "" : "/", request.subresource, request.name,
                         request.ns, why);
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Demands, ::testing::ValuesIn(cases("access/tests/data/demands")),
                         case_name);

class Validate : public ::testing::TestWithParam<Case> {};

TEST_P(Validate, MatchesItsFile) {
  const Value stored = document(GetParam()["stored"]);
  std::string out;
  for (const Value& object : documents(GetParam()["objects"])) {
    const Value filled = with_defaults(object);
    out += outcome(validate(filled, stored),
                   [&filled](const Done&) { return json::print(filled) + "\n"; });
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Validate, ::testing::ValuesIn(cases("access/tests/data/validate")),
                         case_name);

class Review : public ::testing::TestWithParam<Case> {};

/// `user` sends each review; a LocalSubjectAccessReview goes to namespace `ns`.
TEST_P(Review, MatchesItsFile) {
  std::vector<Value> objects = documents(GetParam()["objects"]);
  for (const Value& object : builtin_objects()) objects.push_back(object);
  const Policy policy = policy_of(objects);
  const User user = user_of(words_of(GetParam()["user"]).at(0));
  std::string out;
  for (const Value& review : documents(GetParam()["reviews"])) {
    const std::string_view kind = review["kind"].as_string();
    if (kind == "SelfSubjectRulesReview") {
      out += outcome(rules_review(policy, user, review),
                     [](const Value& answer) { return json::print_pretty(answer, 2) + "\n"; });
      continue;
    }
    const auto question = kind == "SelfSubjectAccessReview" ? self_access_question(review, user)
                          : kind == "SubjectAccessReview"   ? access_question(review)
                                                            : local_access_question(review, "ns");
    out += outcome(question, [&](const Question& asked) {
      return json::print(answered(review, policy.authorize(asked.user, asked.request))["status"]) +
             "\n";
    });
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Review, ::testing::ValuesIn(cases("access/tests/data/review")),
                         case_name);

class Impersonate : public ::testing::TestWithParam<Case> {};

/// `as` has lines "user NAME", "uid UID", "group NAME", "extra KEY VALUE"; a blank line begins the
/// next request.
TEST_P(Impersonate, MatchesItsFile) {
  const Policy policy = policy_of(documents(GetParam()["objects"]));
  const User who = user_of(words_of(GetParam()["user"]).at(0));
  std::string out;
  const auto act = [&](const Impersonation& wanted) {
    out += outcome(impersonate(policy, who, wanted), [](const User& user) {
      std::string text = user.name + " uid=" + user.uid;
      for (const std::string& group : user.groups) text += " " + group;
      for (const auto& [key, values] : user.extra)
        for (const std::string& value : values) text += " " + key + "=" + value;
      return text + "\n";
    });
  };
  std::istringstream in(GetParam()["as"]);
  Impersonation wanted;
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) {
      act(wanted);
      wanted = {};
    } else if (words[0] == "user") {
      wanted.user = words.at(1);
    } else if (words[0] == "uid") {
      wanted.uid = words.at(1);
    } else if (words[0] == "group") {
      wanted.groups.push_back(words.at(1));
    } else {
      wanted.extra[words.at(1)].push_back(words.at(2));
    }
  }
  act(wanted);
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Impersonate,
                         ::testing::ValuesIn(cases("access/tests/data/impersonate")), case_name);

}  // namespace
}  // namespace portico::access
