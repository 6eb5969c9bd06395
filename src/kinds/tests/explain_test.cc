#include "kinds/explain.h"

#include <gtest/gtest.h>

#include <sstream>

#include "kinds/definitions.h"
#include "testing/cases.h"

namespace portico::kinds {
namespace {

class ExplainsFields : public ::testing::TestWithParam<portico::testing::Case> {};

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    out.push_back(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return out;
}

std::string answers(const std::string& asked, bool recursive) {
  std::string out;
  std::istringstream lines(asked);
  for (std::string kind, version, path; lines >> kind >> version >> path;) {
    const auto told = explain({"config.porch.kpt.dev", kind, version}, schema_of(kind, version),
                              split(path), recursive);
    out += told ? *told : "error: " + told.error().text() + "\n";
  }
  return out;
}

TEST_P(ExplainsFields, MatchesItsFile) {
  GetParam().expect("want",
                    answers(GetParam()["asked"], false) + answers(GetParam()["recursive"], true));
}

INSTANTIATE_TEST_SUITE_P(Data, ExplainsFields,
                         ::testing::ValuesIn(portico::testing::cases("kinds/tests/data/explain")),
                         portico::testing::case_name);

TEST(Fields, BelowOneAreNamed) {
  const auto& schema = schema_of("PackageVariant", "v1alpha1");
  EXPECT_EQ(fields_below(schema, {"spec", "downstream"}),
            (std::vector<std::string>{"package", "repo"}));
  EXPECT_TRUE(fields_below(schema, {"spec", "none"}).empty());
}

}  // namespace
}  // namespace portico::kinds
