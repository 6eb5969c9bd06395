#include <gtest/gtest.h>

#include "gotemplate/template.h"
#include "json/text.h"
#include "testing/cases.h"

namespace portico::gotemplate {
namespace {

class GoTemplates : public ::testing::TestWithParam<portico::testing::Case> {};

// Renders each line of `templates` with `object`; "error: ..." if that fails. A case with
// `template` has a single template that spans all its lines.
TEST_P(GoTemplates, AreRenderedAsGoDoes) {
  const auto& one = GetParam();
  const auto object = json::parse(one["object"]);
  ASSERT_TRUE(object.ok()) << object.error().text();
  const auto rendered = [&](std::string_view text) {
    const auto parsed = Template::parse(text);
    const auto out = parsed ? parsed->render(*object) : parsed.error();
    return out ? *out : "error: " + out.error().text();
  };
  if (one.has("template")) {
    one.expect("want", rendered(one["template"]));
    return;
  }
  std::string have;
  std::string_view rest = one["templates"];
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    have += rendered(rest.substr(0, end)) + "\n";
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  one.expect("want", have);
}
INSTANTIATE_TEST_SUITE_P(
    Data, GoTemplates,
    ::testing::ValuesIn(portico::testing::cases("gotemplate/tests/data/templates")),
    portico::testing::case_name);

std::string error_of(const std::string& text) {
  const auto parsed = Template::parse(text);
  const auto out = parsed ? parsed->render(json::Value()) : parsed.error();
  return out ? "" : out.error().what;
}

TEST(GoTemplate, IsLimited) {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "{{if true}}";
  EXPECT_EQ(error_of(deep), "too deeply nested");
  EXPECT_EQ(error_of("{{" + std::string(200, '(') + "}}"), "too deeply nested");
  std::string chain = "{{if false}}";
  for (int i = 0; i < 200; ++i) chain += "{{else if false}}";
  EXPECT_EQ(error_of(chain + "{{end}}"), "too deeply nested");
  EXPECT_EQ(error_of("{{define \"a\"}}{{template \"a\"}}{{end}}{{template \"a\"}}"),
            "exceeded maximum template depth of 100");
  EXPECT_EQ(error_of("{{range 100000}}{{range 100000}}{{end}}{{end}}"), "more than 3000000 steps");
  EXPECT_EQ(error_of("{{range 100000}}{{printf \"%10000d\" 1}}{{end}}"),
            "more than 67108864 bytes of output");
  EXPECT_EQ(error_of("{{$x := \"ab\"}}{{range 100}}{{$x = print $x $x}}{{end}}"),
            "more than 67108864 bytes of arguments");
}

}  // namespace
}  // namespace portico::gotemplate
