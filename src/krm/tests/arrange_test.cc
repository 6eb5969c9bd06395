#include <gtest/gtest.h>

#include "krm/object.h"
#include "testing/cases.h"

namespace portico::krm {
namespace {

using testing::Case;

/// Members by name; lists named "sorted" by their items' text; texts below "texts" in quotes, what
/// is below "numbers" out of them.
Arrangement by_name() {
  Arrangement how;
  how.before = [](std::string_view a, std::string_view b) { return a < b; };
  how.item_key = [](const Path& list) -> std::optional<Arrangement::Key> {
    if (list.empty() || list.back() != Step("sorted")) return std::nullopt;
    return [](const json::Value& item) {
      return std::string(item.is_object() ? item["name"].as_string() : item.as_string());
    };
  };
  how.quotes = [](const Path& path) {
    if (!path.empty() && path.front() == Step("texts")) return Quotes::kString;
    if (!path.empty() && path.front() == Step("numbers")) return Quotes::kNonString;
    return Quotes::kKeep;
  };
  return how;
}

class Arrange : public ::testing::TestWithParam<Case> {};

TEST_P(Arrange, MatchesItsFile) {
  auto object = Object::parse(GetParam()["input"]);
  ASSERT_TRUE(object) << object.error().text();
  const json::Value before = object->value();
  const auto done = object->arrange(by_name());
  GetParam().expect("want", done ? object->text() : done.error().text() + "\n");
  if (!done) {
    EXPECT_EQ(object->text(), Object::parse(GetParam()["input"])->text());
    return;
  }
  if (!GetParam().has("changes values")) {
    EXPECT_EQ(object->value(), before);
  }
  const std::string once = object->text();
  ASSERT_TRUE(object->arrange(by_name()));
  EXPECT_EQ(object->text(), once);
}

INSTANTIATE_TEST_SUITE_P(Data, Arrange,
                         ::testing::ValuesIn(testing::cases("krm/tests/data/arrange")),
                         testing::case_name);

TEST(Arrangement, LastLinesWithoutBreak) {
  for (const auto& [text, want] :
       {std::pair{"b: 1\na: 2", "a: 2\nb: 1"}, std::pair{"b: 1\na: |\n  x", "a: |-\n  x\nb: 1"},
        std::pair{"b: 1\r\na: 2\r\n", "a: 2\r\nb: 1\r\n"}}) {
    auto object = Object::parse(text);
    ASSERT_TRUE(object && object->arrange(by_name())) << text;
    EXPECT_EQ(object->text(), want);
  }
}

}  // namespace
}  // namespace portico::krm
