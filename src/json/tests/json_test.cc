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
  Value value =
      Value::object({{"inner", Value::array({Value("some text beyond the inline limit")})}});
  value = value["inner"];
  EXPECT_EQ(value[std::size_t{0}].as_string(), "some text beyond the inline limit");
  value = Value(value[std::size_t{0}]);
  EXPECT_EQ(value.as_string(), "some text beyond the inline limit");
}

TEST(Text, RoundTripsAndSortsKeys) {
  const Value value =
      *parse(R"({"b":[1,-2,18446744073709551615,1.5,1.0,true,false,null,"\u0001\n\"é"],"a":{}})");
  EXPECT_EQ(print(value),
            R"({"a":{},"b":[1,-2,18446744073709551615,1.5,1.0,true,false,null,"\u0001\n\"é"]})");
  EXPECT_EQ(*parse(print(value)), value);
  EXPECT_EQ(*parse(print_pretty(value)), value);
  EXPECT_EQ(print(Value(std::nan(""))), "null");
  EXPECT_EQ(print(*parse(R"({"a":1,"a":2})")), R"({"a":2})");
}

TEST(Value, FreesWhatIsNestedAMillionDeep) {
  Value deep = "the innermost text, too long to be inline";
  for (int i = 0; i < 1'000'000; ++i)
    deep = i % 2 == 0 ? Value::array({std::move(deep)}) : Value::object({{"k", std::move(deep)}});
  const Value held = deep["k"][std::size_t{0}];
  deep = nullptr;
  EXPECT_TRUE(held.is_object());
}

TEST(Value, SurvivesMovesOntoItselfAndFromItsInside) {
  Value value = Value::array({Value("a text that is too long to be inline"), Value(1)});
  Value& alias = value;
  value = std::move(alias);
  EXPECT_EQ(value.size(), 2u);
  value = Value(value.items()[0]);
  EXPECT_EQ(value.as_string(), "a text that is too long to be inline");
}

TEST(Text, NestsToTheLimitAndNoFurther) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  for (const int limit : {1, 2, 100, 512}) {
    const auto depth = static_cast<std::size_t>(limit);
    const auto value = parse(nested(depth), {.depth = limit});
    ASSERT_TRUE(value) << limit;
    EXPECT_TRUE(check_printable(*value, {.depth = limit}));
    EXPECT_FALSE(check_printable(*value, {.depth = limit - 1}));
    EXPECT_FALSE(parse(nested(depth + 1), {.depth = limit})) << limit;
  }
}

TEST(Text, TakesIntegersBeyond64BitsAsDoubles) {
  EXPECT_EQ(parse("[123456789012345678901234567890]")->items()[0], Value(1.2345678901234568e29));
  EXPECT_EQ(parse("9223372036854775807")->as_int(), INT64_MAX);
  EXPECT_EQ(parse("9223372036854775808")->as_uint(), 9223372036854775808u);
  EXPECT_EQ(parse("-9223372036854775808")->as_int(), INT64_MIN);
  EXPECT_EQ(*parse("-9223372036854775809"), Value(-9223372036854775808.0));
  // If such an integer is present, the careful parser reads every number.
  const auto beside = [](std::string_view number) {
    return parse("[123456789012345678901234567890," + std::string(number) + "]");
  };
  for (const char* small : {"1e-400", "-0.00001e-399", "123e-99999999999999999999", "0e999999"})
    EXPECT_EQ(beside(small)->items()[1], Value(0.0)) << small;
  for (const char* large : {"1e400", "-0.00001e405", "12345678e302", "1e99999999999999999999"})
    EXPECT_FALSE(beside(large)) << large;
  for (const char* fits : {"1.5", "-2.5e-3", "1e308", "5e-324", "0.0001e310"})
    EXPECT_EQ(beside(fits)->items()[1], *parse(fits)) << fits;
}

TEST(Text, SharesLongKeys) {
  const Value value =
      *parse(R"([{"a key too long to be inline":1},{"a key too long to be inline":2}])");
  EXPECT_TRUE(value.items()[0].members()[0].key.same_as(value.items()[1].members()[0].key));
}

TEST(Text, ThatIsNotThereIsAnError) {
  EXPECT_FALSE(parse(std::string_view()));
  EXPECT_FALSE(parse(Value()["nothing"].as_string()));
}

TEST(Text, SaysWhereAndWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "1:1: not JSON: expected a value, found only whitespace"},
      {"{", "1:2: not JSON: expected a member name in quotes, found end of input"},
      {"{\n  \"a\": [1,\n   2,]\n}", "3:6: not JSON: expected a value, found ']'"},
      {"{\"a\":1,}", "1:8: not JSON: expected a member name in quotes, found '}'"},
      {"{\"a\" 1}", "1:6: not JSON: expected ':', found '1'"},
      {"{a:1}", "1:2: not JSON: expected a member name in quotes, found 'a'"},
      {"[1 2]", "1:4: not JSON: expected ',' or ']', found '2'"},
      {"{\"a\":1 \"b\"}", "1:8: not JSON: expected ',' or '}', found '\"'"},
      {"nul", "1:1: not JSON: expected a value; the only literals are true, false and null"},
      {"truefalse", "1:1: not JSON: expected a value; the only literals are true, false and null"},
      {"'a'", "1:1: not JSON: expected a value, found '''"},
      {"{\"é\":x}", "1:6: not JSON: expected a value, found 'x'"},
      {"{}x", "1:3: not JSON: unexpected 'x' after the value"},
      {"01", "1:1: not JSON: a number must not have leading zeros"},
      {"-", "1:2: not JSON: expected a digit after '-', found end of input"},
      {"1.", "1:3: not JSON: expected a digit after '.', found end of input"},
      {"1e+", "1:4: not JSON: expected a digit in the exponent, found end of input"},
      {"1e400", "1:1: not JSON: the number is too large for a double"},
      {"\"abc", "1:1: not JSON: unterminated string"},
      {"\"a\nb\"", "1:3: not JSON: byte 0x0a must be written as an escape in a string"},
      {"\"\\x\"", "1:2: not JSON: invalid escape sequence"},
      {"\"\\u12g4\"", "1:2: not JSON: \\u must be followed by four hexadecimal digits"},
      {"\"\\ud800\"", "1:2: not JSON: invalid escape: half of a surrogate pair"},
      {"\"a\xff\"", "1:3: not JSON: byte 0xff is not UTF-8"},
      {"\"\xed\xa0\x80\"", "1:2: not JSON: byte 0xed is not UTF-8"},
  };
  for (const auto& [text, error] : cases) {
    const auto parsed = parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Code::kInvalid);
    EXPECT_EQ(parsed.error().text(), error);
  }
}

TEST(Text, ChecksWhatCannotBePrinted) {
  const auto error = [](const Value& value) {
    const auto checked = check_printable(Value::object({{"a", Value::array({1, value})}}));
    return checked ? "" : checked.error().text();
  };
  EXPECT_EQ(error("fine"), "");
  EXPECT_EQ(error("\xff"), "a: [1]: the string is not UTF-8");
  EXPECT_EQ(error(std::nan("")), "a: [1]: nan cannot be represented in JSON");
  EXPECT_EQ(error(Value::object({{"\xff", 1}})), "a: [1]: a member name is not UTF-8");
}

TEST(Text, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "nul", "{\"a\":1}x", "'a'", "01"})
    EXPECT_FALSE(parse(text)) << text;
  EXPECT_FALSE(parse(std::string(2000, '[') + std::string(2000, ']')));
  EXPECT_FALSE(parse("[1]", {.bytes = 2}));
}

}  // namespace
}  // namespace portico::json
