// Values: what they hold, and that equality, order and hashes agree.
#include "cel/value.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "cel/internal/containers.h"
#include "cel/numbers.h"
#include "cel/time.h"
#include "cel/utf8.h"

namespace portico::cel {
namespace {

Value of(std::int64_t number) { return Value(number); }

TEST(Value, HoldsTextsOfAnyLength) {
  for (const std::size_t size : {0u, 1u, 21u, 22u, 23u, 24u, 1000u}) {
    const std::string text(size, 'x');
    const Value value = Value::string(text);
    Value copy = value;
    const Value moved = std::move(copy);
    EXPECT_EQ(moved.text(), text);
    EXPECT_EQ(value, moved);
    EXPECT_EQ(Value::concat(Kind::kString, text, "y").text(), text + "y");
  }
  EXPECT_FALSE(Value::string("a") == Value::bytes("a"));
}

TEST(Value, SurvivesAssignmentToItself) {
  Value value = Value::string(std::string(100, 'x'));
  Value& alias = value;
  value = alias;
  EXPECT_EQ(value.text().size(), 100u);
  value = Value::list({value});
  EXPECT_EQ(value.as_list().at(0).text().size(), 100u);
}

TEST(Value, EqualsByContentAcrossTypes) {
  EXPECT_EQ(of(1), Value(1.0));
  EXPECT_EQ(Value(std::uint64_t{1}), of(1));
  EXPECT_FALSE(of(-1) == Value(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_FALSE(Value(std::nan("")) == Value(std::nan("")));
  EXPECT_FALSE(Value() == Value(false));
  EXPECT_EQ(Value::list({of(1), Value::string("a")}),
            Value::list({Value(1.0), Value::string("a")}));
  EXPECT_EQ(Value::optional_none(), Value::optional_none());
  EXPECT_FALSE(Value::optional_none() == Value::optional_of(Value()));
}

TEST(Value, MapsFindNumbersOfAnyType) {
  auto map = make_ref<internal::HashMap>();
  for (std::int64_t i = 0; i < 100; ++i) EXPECT_TRUE(map->insert(of(i), of(i * i)));
  EXPECT_FALSE(map->insert(Value(7.0), of(0)));
  EXPECT_EQ(map->size(), 100u);
  EXPECT_EQ(map->find(Value(std::uint64_t{9})).value_or(Value()), of(81));
  EXPECT_FALSE(map->find(Value(9.5)));
  EXPECT_FALSE(map->find(Value::string("9")));
}

TEST(Value, IsShownAsSourceText) {
  EXPECT_EQ(show(Value::list({of(1), Value(std::uint64_t{2}), Value(3.0), Value::string("a\"\n")})),
            R"([1, 2u, 3.0, "a\"\n"])");
  EXPECT_EQ(show(Value::optional_of(Value::bytes("\xff"))), R"(optional.of(b"\xff"))");
}

rc::Gen<Value> number() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t x) { return Value(x); }),
      rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t x) { return Value(x); }),
      rc::gen::map(rc::gen::arbitrary<double>(), [](double x) { return Value(x); }),
      rc::gen::map(rc::gen::inRange(-3, 3), [](int x) { return Value(static_cast<double>(x)); }),
      rc::gen::map(rc::gen::inRange(-3, 3), [](int x) { return Value(std::int64_t{x}); }),
      rc::gen::element(of(std::numeric_limits<std::int64_t>::max()), Value(0x1p63), Value(-0x1p63),
                       of(std::numeric_limits<std::int64_t>::min()), Value(0x1p64),
                       Value(std::numeric_limits<std::uint64_t>::max()), Value(0x1p53)));
}

RC_GTEST_PROP(Numbers, EqualOnesShareTheirHash, ()) {
  const Value a = *number();
  const Value b = *number();
  if (a == b) RC_ASSERT(hash_of(a) == hash_of(b));
  RC_ASSERT((a == b) == (b == a));
}

RC_GTEST_PROP(Numbers, OrderIsTheSameFromBothSides, ()) {
  const Value a = *number();
  const Value b = *number();
  const auto forth = compare(a, b);
  const auto back = compare(b, a);
  RC_ASSERT(forth.has_value() && back.has_value());
  RC_ASSERT(*forth == -*back);
  RC_ASSERT((*forth == 0) == (a == b));
}

RC_GTEST_PROP(Numbers, TextsReadBack, (double number)) {
  RC_ASSERT(read_double(double_text(number)).value_or(0) == number);
  RC_ASSERT(read_double(double_plain(number)).value_or(0) == number);
}

RC_GTEST_PROP(Times, TextsReadBack, ()) {
  const Timestamp time{*rc::gen::inRange<std::int64_t>(-62'135'596'800, 253'402'300'800),
                       *rc::gen::inRange(0, 1'000'000'000)};
  const Value read = parse_timestamp(timestamp_text(time));
  RC_ASSERT(read.is(Kind::kTimestamp));
  RC_ASSERT(read.as_timestamp() == time);
  const std::int64_t duration = *rc::gen::arbitrary<std::int64_t>();
  const Value span = parse_duration(duration_text(duration));
  RC_ASSERT(span.is(Kind::kDuration));
  RC_ASSERT(span.as_duration() == duration);
}

RC_GTEST_PROP(Utf8, CountsWhatItReads, ()) {
  std::string text;
  std::size_t count = 0;
  for (const std::uint32_t code : *rc::gen::container<std::vector<std::uint32_t>>(
           rc::gen::inRange<std::uint32_t>(0, 0x110000))) {
    if (code >= 0xd800 && code < 0xe000) continue;
    append_utf8(text, static_cast<char32_t>(code));
    ++count;
  }
  RC_ASSERT(is_utf8(text));
  RC_ASSERT(count_code_points(text) == count);
  RC_ASSERT(byte_of_code_point(text, static_cast<std::int64_t>(count)) == text.size());
  RC_ASSERT(!byte_of_code_point(text, static_cast<std::int64_t>(count) + 1));
}

TEST(Utf8, RefusesWhatIsBroken) {
  for (const char* text :
       {"\x80", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_FALSE(is_utf8(text));
}

}  // namespace
}  // namespace portico::cel
