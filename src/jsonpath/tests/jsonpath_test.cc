#include <gtest/gtest.h>

#include "json/text.h"
#include "jsonpath/template.h"
#include "testing/cases.h"

namespace portico::jsonpath {
namespace {

class Templates : public ::testing::TestWithParam<portico::testing::Case> {};

// Renders each line of `templates` with `object`; "error: ..." if it does not parse.
TEST_P(Templates, AreRenderedAsKubectlDoes) {
  const auto& one = GetParam();
  const auto object = json::parse(one["object"]);
  ASSERT_TRUE(object.ok());
  std::string have;
  std::string_view rest = one["templates"];
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const auto parsed = Template::parse(rest.substr(0, end));
    const auto text = parsed ? parsed->render(*object) : parsed.error();
    have += text ? *text : "error: " + text.error().text();
    have += '\n';
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  one.expect("want", have);
}
INSTANTIATE_TEST_SUITE_P(
    Data, Templates, ::testing::ValuesIn(portico::testing::cases("jsonpath/tests/data/templates")),
    portico::testing::case_name);

TEST(Template, SaysWhatIsMissingWhereThatIsAnError) {
  const auto missing = Template::parse("{.a}{.b.c}");
  ASSERT_TRUE(missing.ok());
  const json::Value object = *json::parse(R"({"a":1})");
  EXPECT_EQ(*missing->render(object), "1");
  EXPECT_EQ(missing->render(object, true).error().text(), ".b.c is not found");
}

TEST(Path, IsLimitedInDepthAndResults) {
  std::string deep = "$";
  for (int i = 0; i < 100; ++i) deep += ".a";
  EXPECT_FALSE(Path::parse(deep).ok());
  std::string filters = "@.a";
  for (int i = 0; i < 20; ++i) filters = "@.a[?(" + filters + ")]";
  EXPECT_FALSE(Path::parse(filters).ok());
  const auto all = Path::parse("..");
  EXPECT_FALSE(all.ok());
  const auto every = Path::parse("..*");
  ASSERT_TRUE(every.ok());
  EXPECT_EQ(every->evaluate(*json::parse("[1,[2,[3]]]"), 2).size(), 2u);
}

}  // namespace
}  // namespace portico::jsonpath
