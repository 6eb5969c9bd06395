#include "json/patch.h"

#include <gtest/gtest.h>

#include "json/tests/random_value.h"
#include "json/text.h"

namespace portico::json {
namespace {

// The test cases of RFC 7386, appendix A: original, patch, result.
TEST(MergePatch, DoesAsTheRfcSays) {
  const char* cases[][3] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", R"(null)", R"(null)"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"a":1,"e":null})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const auto& [target, patch, result] : cases)
    EXPECT_EQ(print(with_merge_patch(*parse(target), *parse(patch))), result) << patch;
}

TEST(MergePatch, SharesWhatItDoesNotChange) {
  const Value target = *parse(R"({"a":{"b":[1,2]},"c":{"d":1}})");
  EXPECT_TRUE(with_merge_patch(target, *parse(R"({"a":{"b":[1,2]},"x":null})")).same_as(target));
  EXPECT_TRUE(with_merge_patch(target, *parse(R"({"c":{"d":2}})"))["a"].same_as(target["a"]));
}

Value without_nulls(const Value& value) {
  if (!value.is_object()) return value;
  Value out = value;
  for (const Member& member : value.members())
    out = member.value.is_null() ? out.without(member.name())
                                 : out.with(member.name(), without_nulls(member.value));
  return out;
}

TEST(MergePatch, LeadsFromAnyValueToAnyOther) {
  RandomValues random(3);
  for (int i = 0; i < 5'000; ++i) {
    const Value from = random.value();
    Value to = without_nulls(random.value());
    if (from.is_object() && to.is_object() && i % 2 == 0)
      to = without_nulls(with_merge_patch(from, to));
    EXPECT_EQ(with_merge_patch(from, merge_patch(from, to)), to) << print(from) << print(to);
    if (to.is_object()) {
      EXPECT_EQ(print(merge_patch(to, to)), "{}");
    }
  }
}

}  // namespace
}  // namespace portico::json
