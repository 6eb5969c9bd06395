#include "patch/patch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "json/text.h"
#include "testing/cases.h"

namespace portico::patch {
namespace {

/// Sections: target, and patches with one JSON value per line; want has for each line the patched
/// target or the error. The folder determines the kind.
class Patch : public ::testing::TestWithParam<testing::Case> {};

std::string shown(const Result<json::Value>& result) {
  return result ? json::print(*result) : "! " + result.error().text();
}

Result<json::Value> applied(const testing::Case& one, const json::Value& target,
                            const json::Value& body) {
  if (one.has("json")) {
    PORTICO_TRY(const JsonPatch patch, read_json_patch(body));
    return apply_json_patch(target, patch);
  }
  if (one.has("merge")) {
    PORTICO_TRY(const json::Value patch, read_merge_patch(body));
    return apply_merge_patch(target, patch);
  }
  PORTICO_TRY(const json::Value patch, read_strategic_patch(body));
  return apply_strategic_patch(target, patch, merged_lists("", target["kind"].as_string()));
}

TEST_P(Patch, GivesWhatKubernetesGives) {
  const testing::Case& one = GetParam();
  const auto target = json::parse(one["target"]);
  ASSERT_TRUE(target.ok()) << target.error().text();
  std::string out;
  std::istringstream lines(one[one.has("json")    ? "json"
                               : one.has("merge") ? "merge"
                                                  : "strategic"]);
  for (std::string line; std::getline(lines, line);) {
    const auto body = json::parse(line);
    ASSERT_TRUE(body.ok()) << line;
    out += shown(applied(one, *target, *body)) + "\n";
  }
  one.expect("want", out);
}
INSTANTIATE_TEST_SUITE_P(Data, Patch, ::testing::ValuesIn(testing::cases("patch/tests/data")),
                         testing::case_name);

TEST(JsonPatch, NamesMembersThatNoOperationHas) {
  const auto patch =
      read_json_patch(*json::parse(R"([{"op":"remove","path":"/a","foo":1},{"bar":2}])"));
  ASSERT_TRUE(patch.ok());
  EXPECT_EQ(patch->unknown, (std::vector<std::string>{"[0].foo", "[1].bar"}));
}

TEST(JsonPatch, HasLimits) {
  std::vector<json::Value> many(kMostOperations + 1, json::Value::object());
  const auto patch = read_json_patch(json::Value::array(std::move(many)));
  ASSERT_FALSE(patch.ok());
  EXPECT_EQ(patch.error().reason, Reason::kTooLarge);

  JsonPatch doubling;
  for (int i = 0; i < 40; ++i) doubling.operations.push_back({"copy", "/a/-", "/a", {}});
  EXPECT_FALSE(apply_json_patch(*json::parse(R"({"a":["x"]})"), doubling).ok());
}

RC_GTEST_PROP(JsonPatch, WhatIsAddedIsFoundByATest, (const std::string& name)) {
  std::string escaped;
  for (const char c : name) escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  JsonPatch patch;
  patch.operations = {{"add", "/" + escaped, "", json::Value(1)},
                      {"test", "/" + escaped, "", json::Value(1)}};
  const auto result = apply_json_patch(json::Value::object(), patch);
  RC_ASSERT(result.ok());
  RC_ASSERT((*result)[name] == json::Value(1));
}

}  // namespace
}  // namespace portico::patch
