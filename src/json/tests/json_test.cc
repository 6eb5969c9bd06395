#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "json/text.h"
#include "json/value.h"

namespace portico::json {
namespace {

TEST(Value, ChangedCopiesShareTheRest) {
  const Value big = *parse(R"({"metadata":{"name":"a-name-that-is-long"},"spec":{"x":[1,2,3]}})");
  const Value changed = big.with_at({"metadata", "labels", "app"}, "web");
  EXPECT_EQ(changed["metadata"]["labels"]["app"].as_string(), "web");
  EXPECT_FALSE(big["metadata"].contains("labels"));
  EXPECT_TRUE(changed["spec"].same_as(big["spec"]));
  EXPECT_EQ(changed.without_at({"metadata", "labels"}), big);
  EXPECT_EQ(big.without("nothing"), big);
}

TEST(Value, MissingThingsAreNull) {
  const Value value = *parse(R"({"a":[1]})");
  EXPECT_TRUE(value["b"]["c"][std::size_t{7}].is_null());
  EXPECT_EQ(value["a"][std::size_t{0}].as_int(), 1);
  EXPECT_EQ(value["a"].as_string(), "");
}

TEST(Value, StringsOfEveryLengthAroundTheInlineLimit) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string text(size, 'x');
    Value value(text);
    EXPECT_EQ(value.as_string(), text);
    const Value copy = value;
    value = 1;
    EXPECT_EQ(copy.as_string(), text);
  }
}

TEST(Value, AssignsFromItsOwnInside) {
  Value value = Value::object({{"inner", Value::array({Value("some text beyond the inline limit")})}});
  value = value["inner"];
  EXPECT_EQ(value[std::size_t{0}].as_string(), "some text beyond the inline limit");
  value = Value(value[std::size_t{0}]);
  EXPECT_EQ(value.as_string(), "some text beyond the inline limit");
}

TEST(Text, RoundTripsAndSortsKeys) {
  const Value value = *parse(
      R"({"b":[1,-2,18446744073709551615,1.5,1.0,true,false,null,"\u0001\n\"é"],"a":{}})");
  EXPECT_EQ(print(value),
            R"({"a":{},"b":[1,-2,18446744073709551615,1.5,1.0,true,false,null,"\u0001\n\"é"]})");
  EXPECT_EQ(*parse(print(value)), value);
  EXPECT_EQ(*parse(print_pretty(value)), value);
  EXPECT_EQ(print(Value(std::nan(""))), "null");
  EXPECT_EQ(print(*parse(R"({"a":1,"a":2})")), R"({"a":2})");
}

TEST(Text, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "nul", "{\"a\":1}x", "'a'", "01"})
    EXPECT_FALSE(parse(text)) << text;
  EXPECT_FALSE(parse(std::string(2000, '[') + std::string(2000, ']')));
  EXPECT_FALSE(parse("[1]", {.bytes = 2}));
}

}  // namespace
}  // namespace portico::json
