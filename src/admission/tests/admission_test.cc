#include "admission/admission.h"

#include <gtest/gtest.h>

#include "json/text.h"
#include "krm/object.h"
#include "testing/cases.h"

namespace portico::admission {
namespace {

class Admit : public ::testing::TestWithParam<portico::testing::Case> {};

std::string admitted(const json::Value& object) {
  const auto answer = admit(object);
  if (!answer) return "refused: " + answer.error().text() + "\n";
  if (const auto judged = judge(json::Value(), answer->object); !judged)
    return "refused: " + judged.error().text() + "\n";
  std::string out;
  for (const std::string& warning : answer->warnings) out += "warning: " + warning + "\n";
  if (answer->object == object) return out + "as it is\n";
  return out + json::print_pretty(answer->object, 2) + "\n";
}

TEST_P(Admit, MatchesItsFile) {
  const auto objects = krm::Object::parse_file(GetParam()["objects"]);
  ASSERT_TRUE(objects.ok()) << objects.error().text();
  std::string out;
  for (const krm::Object& object : *objects) out += admitted(object.value());
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Admit,
                         ::testing::ValuesIn(portico::testing::cases("admission/tests/data/admit")),
                         portico::testing::case_name);

TEST(Judge, ARepositoryStaysWhereItIs) {
  const auto repository = [](const std::string& spec) {
    return krm::Object::parse(
               "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: a, "
               "namespace: default}\nspec: " +
               spec + "\n")
        ->value();
  };
  const json::Value stored = repository("{git: {repo: /srv/a.git}}");
  for (const char* wanted :
       {"{type: git, git: {repo: /srv/a.git, branch: main}, deployment: true}",
        "{git: {repo: /srv/a.git}, sync: {schedule: '@hourly', runOnceAt: 2026-01-01T00:00:00Z}}"})
    EXPECT_TRUE(judge(stored, repository(wanted))) << wanted;
  const auto moved = judge(stored, repository("{git: {repo: /srv/b.git}}"));
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, Code::kInvalid);
  EXPECT_NE(moved.error().text().find("spec.git.repo is immutable"), std::string::npos);
  for (const char* wanted :
       {"{git: {repo: /srv/a.git, branch: next}}", "{git: {repo: /srv/a.git, directory: web}}",
        "{git: {repo: /srv/a.git}, sync: {schedule: hourly}}",
        "{git: {repo: /srv/a.git}, sync: {runOnceAt: soon}}"})
    EXPECT_FALSE(judge(stored, repository(wanted))) << wanted;
}

TEST(Judge, ASecretKeepsItsType) {
  const auto secret = [](const char* text) { return krm::Object::parse(text)->value(); };
  const json::Value stored = secret("{apiVersion: v1, kind: Secret, metadata: {name: a}}");
  EXPECT_TRUE(judge(stored, stored.with("type", "Opaque")));
  EXPECT_TRUE(judge(stored, stored.with_at({"data", "key"}, "")));
  const auto moved = judge(stored, stored.with("type", "example.com/own"));
  ASSERT_FALSE(moved);
  EXPECT_EQ(
      moved.error().text(),
      "type: cannot change from \"Opaque\" to \"example.com/own\"; delete the Secret and create "
      "it again");
  const json::Value lacking =
      secret("{apiVersion: v1, kind: Secret, metadata: {name: a}, type: kubernetes.io/tls}");
  EXPECT_TRUE(judge(lacking, lacking.with_at({"metadata", "labels", "a"}, "b")));
  EXPECT_FALSE(judge(lacking, lacking.with_at({"data", "tls.crt"}, "")));
}

TEST(Judge, WhatIsStoredAlreadyMayStay) {
  const auto set = krm::Object::parse(
      "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\n"
      "metadata: {name: a, namespace: default}\nspec: {targets: [{}]}\n");
  ASSERT_TRUE(set.ok());
  const json::Value& stored = set->value();
  EXPECT_FALSE(judge(json::Value(), stored));
  EXPECT_TRUE(judge(stored, stored.with_at({"metadata", "labels", "a"}, "b")));
  EXPECT_FALSE(judge(stored, stored.with_at({"spec", "deletionGuard"}, "off")));
}

}  // namespace
}  // namespace portico::admission
