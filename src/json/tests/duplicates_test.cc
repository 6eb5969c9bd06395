#include "json/duplicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace portico::json {
namespace {

using ::testing::ElementsAre;

TEST(DuplicateMembers, AreFoundAtEveryDepth) {
  EXPECT_THAT(duplicate_members(R"({"a":1,"b":{"c":[{"d":1, "d" : 2}],"c":{}},"a":2,"a":3})"),
              ElementsAre("b.c[0].d", "b.c", "a"));
}

TEST(DuplicateMembers, NamesAreComparedByWhatTheyMean) {
  EXPECT_THAT(duplicate_members(R"({"a":"\"}","\u0061":1,"b\\":1,"b\\":2})"),
              ElementsAre("a", "b\\"));
}

TEST(DuplicateMembers, OfBrokenTextsNothingNeedBeSaid) {
  for (const char* text : {"", "{", "{\"", "{\"a", "[", "{\"a\":", "{a:1}", "\"\\"})
    EXPECT_TRUE(duplicate_members(text).empty()) << text;
}

RC_GTEST_PROP(DuplicateMembers, AreThoseThatCameBefore, ()) {
  const auto letters = *rc::gen::container<std::string>(rc::gen::inRange('a', 'h'));
  std::string text = "{";
  std::set<std::string> seen;
  std::vector<std::string> want;
  for (const char letter : letters) {
    const std::string name(1, letter);
    text += (text.size() > 1 ? ",\"" : "\"") + name + "\":0";
    const bool is_told = std::find(want.begin(), want.end(), name) != want.end();
    if (!seen.insert(name).second && !is_told) want.push_back(name);
  }
  RC_ASSERT(duplicate_members(text + "}") == want);
}

TEST(DuplicateMembers, AreLimited) {
  EXPECT_EQ(duplicate_members(R"({"a":1,"b":2,"c":3,"a":1,"b":2,"c":3})", 2).size(), 2U);
}

}  // namespace
}  // namespace portico::json
