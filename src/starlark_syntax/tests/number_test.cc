#include "starlark_syntax/number.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

#include "starlark_syntax/big_int.h"
#include "starlark_syntax/quoting.h"
#include "starlark_syntax/unicode.h"

namespace portico::starlark {
namespace {

/// Up to about 400 bits; favors small ones, powers of two and their neighbors.
rc::Gen<BigInt> any_big_int() {
  return rc::gen::exec([] {
    BigInt value;
    for (const std::uint32_t limb :
         *rc::gen::resize(12, rc::gen::arbitrary<std::vector<std::uint32_t>>())) {
      const std::uint32_t edge = *rc::gen::element(limb, limb, 0U, 0xFFFFFFFFU, 0x80000000U);
      value = (value << 32) + BigInt(std::int64_t{edge});
    }
    value = value + BigInt(*rc::gen::inRange<std::int64_t>(-1, 2));
    return *rc::gen::arbitrary<bool>() ? value : -value;
  });
}

RC_GTEST_PROP(BigIntegers, SmallOnesAreLikeThoseOfTheMachine, (std::int32_t a, std::int32_t b)) {
  const BigInt x(a);
  const BigInt y(b);
  const std::int64_t c = a;
  const std::int64_t d = b;
  RC_ASSERT((x + y).to_int64() == c + d);
  RC_ASSERT((x - y).to_int64() == c - d);
  RC_ASSERT((x * y).to_int64() == c * d);
  RC_ASSERT((x & y).to_int64() == (c & d));
  RC_ASSERT((x | y).to_int64() == (c | d));
  RC_ASSERT((x ^ y).to_int64() == (c ^ d));
  RC_ASSERT((x <=> y) == (c <=> d));
  RC_ASSERT(x.text() == std::to_string(c));
  if (b != 0) {
    const auto [quotient, rest] = divide(x, y);
    RC_ASSERT(quotient.to_int64() == static_cast<std::int64_t>(std::floor(static_cast<double>(c) /
                                                                          static_cast<double>(d))));
    RC_ASSERT((quotient * y + rest) == x);
  }
}

RC_GTEST_PROP(BigIntegers, FormARing, ()) {
  const BigInt x = *any_big_int();
  const BigInt y = *any_big_int();
  const BigInt z = *any_big_int();
  RC_ASSERT(x + y == y + x);
  RC_ASSERT(x * y == y * x);
  RC_ASSERT((x + y) + z == x + (y + z));
  RC_ASSERT((x * y) * z == x * (y * z));
  RC_ASSERT(x * (y + z) == x * y + x * z);
  RC_ASSERT((x - y) + y == x);
  RC_ASSERT(-(-x) == x);
  RC_ASSERT((x < y) == (y - x > BigInt()));
}

RC_GTEST_PROP(BigIntegers, DivideRoundingDown, ()) {
  const BigInt x = *any_big_int();
  const BigInt y = *any_big_int();
  RC_PRE(!y.is_zero());
  const auto [quotient, rest] = divide(x, y);
  RC_ASSERT(quotient * y + rest == x);
  RC_ASSERT(rest.is_zero() || rest.is_negative() == y.is_negative());
  const BigInt size = y.is_negative() ? -y : y;
  RC_ASSERT((rest.is_negative() ? -rest : rest) < size);
}

RC_GTEST_PROP(BigIntegers, HaveBitsOfTwosComplement, ()) {
  const BigInt x = *any_big_int();
  const BigInt y = *any_big_int();
  RC_ASSERT((x & y) + (x | y) == x + y);
  RC_ASSERT((x ^ y) == (x | y) - (x & y));
  RC_ASSERT((x ^ BigInt(-1)) == -x - BigInt(1));
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(0, 200));
  const BigInt power = BigInt(1) << count;
  RC_ASSERT((x << count) == x * power);
  RC_ASSERT((x >> count) == divide(x, power).quotient);
}

RC_GTEST_PROP(BigIntegers, ComeBackFromText, ()) {
  const BigInt x = *any_big_int();
  const int base = *rc::gen::inRange(2, 37);
  std::string text = x.text(base);
  const bool negative = text[0] == '-';
  const auto back = BigInt::parse(text.substr(negative ? 1 : 0), base);
  RC_ASSERT(back.has_value());
  RC_ASSERT((negative ? -*back : *back) == x);
}

RC_GTEST_PROP(BigIntegers, AreRoundedToTheNearestDouble, ()) {
  const BigInt x = *any_big_int();
  const double nearest = x.to_double();
  if (x.bits() <= 53) RC_ASSERT(BigInt::from_double(nearest) == x);
  RC_ASSERT(std::strtod(x.text().c_str(), nullptr) == nearest);
  const auto distance = [&x](double value) {
    const BigInt d = BigInt::from_double(value) - x;
    return d.is_negative() ? -d : d;
  };
  for (const double other : {std::nextafter(nearest, HUGE_VAL), std::nextafter(nearest, -HUGE_VAL)})
    RC_ASSERT(distance(nearest) <= distance(other));
  RC_ASSERT(order(x, nearest) == (x <=> BigInt::from_double(nearest)));
}

TEST(BigIntegers, KnownOnes) {
  BigInt factorial(1);
  for (std::int64_t i = 2; i <= 40; ++i) factorial = factorial * BigInt(i);
  EXPECT_EQ(factorial.text(), "815915283247897734345611269596115894272000000000");
  EXPECT_EQ((BigInt(1) << 200).text(16), "1" + std::string(50, '0'));
  EXPECT_EQ(BigInt(INT64_MIN).to_int64(), INT64_MIN);
  EXPECT_EQ((-BigInt(INT64_MIN)).to_int64(), std::nullopt);
  EXPECT_EQ((-BigInt(INT64_MIN)).to_uint64(), std::uint64_t{1} << 63);
  EXPECT_EQ((BigInt(1) << 2000).to_double(), HUGE_VAL);
  EXPECT_FALSE(BigInt::parse("12", 2));
  EXPECT_FALSE(BigInt::parse("", 10));
}

RC_GTEST_PROP(Floats, ComeBackFromText, (std::uint64_t bits)) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  RC_PRE(std::isfinite(value));
  const std::string text = format_float(value);
  RC_ASSERT(text.find_first_of(".e") != std::string::npos);
  RC_ASSERT(parse_float(text) == value);
  char c_text[400];
  for (const char conversion : {'e', 'f'}) {
    const char format[] = {'%', conversion, '\0'};
    std::snprintf(c_text, sizeof c_text, format, value);
    RC_ASSERT(format_float(value, conversion) == c_text);
  }
}

TEST(Floats, KnownOnes) {
  for (const auto& [value, text] :
       std::vector<std::pair<double, const char*>>{{0, "0.0"},
                                                   {-0.0, "-0.0"},
                                                   {1, "1.0"},
                                                   {100000, "100000.0"},
                                                   {1e6, "1e+06"},
                                                   {123456789, "1.23456789e+08"},
                                                   {0.0001, "0.0001"},
                                                   {0.00001, "1e-05"},
                                                   {1.5, "1.5"},
                                                   {-2.25e-7, "-2.25e-07"},
                                                   {1e100, "1e+100"},
                                                   {HUGE_VAL, "+inf"},
                                                   {-HUGE_VAL, "-inf"},
                                                   {NAN, "nan"}})
    EXPECT_EQ(format_float(value), text);
  EXPECT_EQ(format_float(1e-7, 'E'), "1.000000E-07");
  for (const char* no :
       {"", "+", "-", ".", "e", "1e", "1e+", "0x1", "1_0", "nan", "inf", "--1", "1 "})
    EXPECT_FALSE(parse_float(no)) << no;
  EXPECT_EQ(parse_float("1e999"), HUGE_VAL);
  EXPECT_EQ(parse_float("1e-999"), 0.0);
  EXPECT_EQ(parse_float("+.5e1"), 5.0);
}

RC_GTEST_PROP(Quoting, ComesBack, (const std::string& text)) {
  // A bytes literal holds arbitrary bytes, a string literal only UTF-8.
  const auto bytes = unquote(quote(text, true));
  RC_ASSERT(bytes.ok());
  RC_ASSERT(bytes->bytes);
  RC_ASSERT(bytes->text == text);
  const std::string valid = valid_utf8(text);
  const auto string = unquote(quote(valid));
  RC_ASSERT(string.ok());
  RC_ASSERT(string->text == valid);
}

TEST(Unicode, CasesAndCategories) {
  EXPECT_EQ(to_upper("straße é ж ω"), "STRAßE É Ж Ω");
  EXPECT_EQ(to_lower("ÀÉ ΣЖ"), "àé σж");
  EXPECT_EQ(to_title(CodePoint{0x1C6}), CodePoint{0x1C5});
  EXPECT_TRUE(is_letter(0x4E16));
  EXPECT_TRUE(is_digit(0x0663));
  EXPECT_FALSE(is_digit(0x00B2));
  EXPECT_TRUE(is_space(0x2003));
  EXPECT_FALSE(is_printable(0x200D));
  EXPECT_TRUE(is_cased(0x0130));
  EXPECT_FALSE(is_cased('1'));
}

TEST(Unicode, WhatIsNoUtf8IsReplacedByteByByte) {
  EXPECT_EQ(valid_utf8("a\xff\xf0\x9f\x98z"), "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
  EXPECT_EQ(valid_utf8("\xed\xb0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(valid_utf8("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd");                  // overlong
  EXPECT_EQ(count_code_points("aé世😿"), 4U);
  EXPECT_EQ(decode_last("é世").code, CodePoint{0x4E16});
}

}  // namespace
}  // namespace portico::starlark
