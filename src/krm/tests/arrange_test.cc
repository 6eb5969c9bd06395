#include <gtest/gtest.h>

#include "krm/object.h"
#include "testing/cases.h"

namespace portico::krm {
namespace {

using testing::Case;

/// Sorts members by name and lists named "sorted" by their items' text; quotes scalars below
/// "texts" and unquotes those below "numbers".
Arrangement by_name() {
  Arrangement how;
  how.before = [](const Path&, std::string_view a, std::string_view b) { return a < b; };
  how.item_key = [](const Path& list) -> std::optional<Arrangement::Key> {
    if (list.empty() || list.back() != Step("sorted")) return std::nullopt;
    return [](const json::Value& item) {
      return std::string(item.is_object() ? item["name"].as_string() : item.as_string());
    };
  };
  how.quotes = [](const Path& path) {
    if (!path.empty() && path.front() == Step("texts")) return Quotes::kString;
    if (!path.empty() && path.front() == Step("numbers")) return Quotes::kNonString;
    if (!path.empty() && path.front() == Step("needed")) return Quotes::kNeeded;
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

/// "input" without blank lines; the results are in the sections "compact" and "wide".
class Relaid : public ::testing::TestWithParam<Case> {};

TEST_P(Relaid, MatchesItsFile) {
  const auto object = Object::parse(GetParam()["input"]);
  ASSERT_TRUE(object) << object.error().text();
  const Object compact = object->relaid(Lists::kCompact), wide = object->relaid(Lists::kWide);
  GetParam().expect("compact", compact.text());
  GetParam().expect("wide", wide.text());
  EXPECT_EQ(compact.value(), object->value());
  EXPECT_EQ(wide.value(), object->value());
  EXPECT_EQ(wide.relaid(Lists::kCompact), compact);
  EXPECT_EQ(compact.relaid(Lists::kWide), wide);
  EXPECT_EQ(compact.relaid(Lists::kKeep), compact);
}

INSTANTIATE_TEST_SUITE_P(Data, Relaid, ::testing::ValuesIn(testing::cases("krm/tests/data/relaid")),
                         testing::case_name);

TEST(ItemsAt, AreWrittenAsTheyStandInTheList) {
  const auto list = Object::parse(
      "items:\n# of a\n-   a: 1 # one\n    # of b\n    b: |\n      x\n\n        y\n"
      "- {c: 2}\n- # within\n\n  d:\n  - 3\n- &e\n  e: 4\n- *e\nend: here\n");
  ASSERT_TRUE(list) << list.error().text();
  std::vector<std::string> texts;
  for (const Object& item : list->items_at({"items"})) texts.push_back(item.text());
  const std::vector<std::string> want{"# of a\na: 1 # one\n# of b\nb: |\n  x\n\n    y\n",
                                      "{c: 2}\n", "# within\n\nd:\n- 3\n", "e: 4\n", "e: 4\n"};
  EXPECT_EQ(texts, want);
  EXPECT_TRUE(list->items_at({"end"}).empty());
  EXPECT_TRUE(list->items_at({"nowhere", std::size_t{3}}).empty());
}

}  // namespace
}  // namespace portico::krm
