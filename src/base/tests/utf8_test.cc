// UTF-8: everything written can be read again, and nothing else is valid.
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace portico {
namespace {

TEST(Utf8, EveryCharacterIsReadAsItWasWritten) {
  for (std::uint32_t code = 0; code <= 0x10ffff; ++code) {
    std::string text;
    append_utf8(text, code);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    const Utf8Character read = utf8_front(text + "x");
    ASSERT_EQ(read.valid, !surrogate) << code;
    ASSERT_EQ(is_utf8(text), !surrogate) << code;
    if (surrogate) continue;
    ASSERT_EQ(read.code, code);
    ASSERT_EQ(read.size, text.size()) << code;
  }
}

TEST(Utf8, BrokenTextIsNotValid) {
  using namespace std::literals;
  for (const std::string_view text :
       {"\x80"sv, "\xc3"sv, "\xc0\xaf"sv, "\xe2\x82"sv, "\xe0\x80\xaf"sv, "\xf0\x80\x80\xaf"sv,
        "\xf4\x90\x80\x80"sv, "\xff"sv, "\xed\xa0\x80"sv, "a\xc3(b"sv}) {
    EXPECT_FALSE(is_utf8(text));
    EXPECT_EQ(utf8_front("\xff").code, 0xffu);
  }
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\xc3\xa4\0z"sv));
}

}  // namespace
}  // namespace portico
