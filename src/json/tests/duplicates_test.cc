#include "json/duplicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(DuplicateMembers, AreLimited) {
  EXPECT_EQ(duplicate_members(R"({"a":1,"b":2,"c":3,"a":1,"b":2,"c":3})", 2).size(), 2U);
}

}  // namespace
}  // namespace portico::json
