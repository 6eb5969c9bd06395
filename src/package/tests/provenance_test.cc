// Each file below data/provenance is a field and the package at each step of its history.
#include "package/provenance.h"

#include <gtest/gtest.h>

#include <sstream>

#include "json/text.h"
#include "package/tests/package_text.h"
#include "testing/cases.h"

namespace portico::package {
namespace {

using portico::testing::Case;

std::string text_of(const std::optional<json::Value>& value) {
  return value ? json::print(*value) : "(none)";
}

/// The lines of "steps": "build|recorded|commit WHO: SECTION", the last one "now: SECTION".
std::string answer(const Case& one) {
  std::string field_text = one["field"];
  field_text.pop_back();
  const auto field = parse_field(field_text);
  if (!field) return "error: " + field.error().text() + "\n";
  struct Step {
    std::string kind, who;
    krm::Package content;
  };
  std::vector<Step> steps;
  std::istringstream lines(one["steps"]);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' '), colon = line.rfind(": ");
    const std::string section = line.substr(colon + 2);
    if (!one.has(section)) throw std::runtime_error("no section " + section);
    steps.push_back({line.substr(0, std::min(blank, colon)),
                     blank < colon ? line.substr(blank + 1, colon - blank - 1) : "",
                     package_from(one[section])});
  }
  const krm::Package& now = steps.back().content;
  const auto resource = find_resource(now, *field);
  if (!resource) return "error: " + resource.error().text() + "\n";
  std::vector<Candidate> build, commits;
  std::optional<Candidate> recorded;
  for (const Step& step : steps) {
    const Candidate candidate{step.who, value_in(step.content, *resource, *field)};
    if (step.kind == "build") build.push_back(candidate);
    if (step.kind == "recorded") recorded = candidate;
    if (step.kind == "commit") commits.push_back(candidate);
  }
  const auto value = value_in(now, *resource, *field);
  const FieldHistory history = field_history(build, recorded, commits, value);
  if (history.changes.empty()) return missing_field(now, *resource, *field) + "\n";
  std::string out;
  for (const Candidate& each : history.changes) out += each.who + ": " + text_of(each.value) + "\n";
  EXPECT_EQ(history.changes.back().value, value);
  return out + (history.edited ? "a person's\n" : "the build's\n");
}

class Provenance : public ::testing::TestWithParam<Case> {};

TEST_P(Provenance, MatchesItsFile) { GetParam().expect("want", answer(GetParam())); }

INSTANTIATE_TEST_SUITE_P(
    Data, Provenance, ::testing::ValuesIn(portico::testing::cases("package/tests/data/provenance")),
    portico::testing::case_name);

TEST(ParseField, TakesItApart) {
  const auto field = parse_field(
      R"(a/b.yaml:Deployment.apps/prod/web:spec.containers[name=a:b,protocol=TCP][0].x["c.d/e"])");
  ASSERT_TRUE(field) << field.error().text();
  EXPECT_EQ(field->file, "a/b.yaml");
  EXPECT_EQ(field->kind + "|" + field->group + "|" + field->ns + "|" + field->name,
            "Deployment|apps|prod|web");
  ASSERT_EQ(field->path.size(), 6U);
  EXPECT_EQ(field->path[2].keys[0].second, "a:b");
  EXPECT_EQ(field->path[2].keys[1].first, "protocol");
  EXPECT_EQ(field->path[3].index, 0U);
  EXPECT_EQ(field->path[5].name, "c.d/e");
  const auto no_file = parse_field(R"(ConfigMap/web:metadata.annotations["a/b:c"])");
  ASSERT_TRUE(no_file) << no_file.error().text();
  EXPECT_EQ(no_file->file, "");
  EXPECT_EQ(no_file->path.back().name, "a/b:c");
}

TEST(ParseField, SaysWhatIsExpected) {
  for (const char* text : {"", "web", "d.yaml:spec", "d.yaml:Deployment:spec", "d.yaml:/web:spec",
                           "d.yaml:A/b:", "d.yaml:A/b:c..d", "d.yaml:A/b:c[", "d.yaml:A/b:c[x]",
                           "d.yaml:A/b:c[\"x]", "d.yaml:A/b/c/d:e"})
    EXPECT_FALSE(parse_field(text)) << text;
}

}  // namespace
}  // namespace portico::package
