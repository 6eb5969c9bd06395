#include "base/shortened.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace portico {
namespace {

TEST(Shortened, WhatFitsStays) {
  EXPECT_EQ(shortened("", 40), "");
  EXPECT_EQ(shortened(std::string(40, 'x'), 40), std::string(40, 'x'));
}

TEST(Shortened, WhatDoesNotSaysHowMuchIsMissing) {
  EXPECT_EQ(shortened(std::string(41, 'x'), 40), "xxxxxxxx... (1 kB more)");
  EXPECT_EQ(shortened(std::string(1'000'000, 'x'), 42), "xxxxxxxxxx... (1000 kB more)");
}

TEST(Shortened, NoCharacterIsCut) {
  for (const std::string character : {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    std::string text;
    while (text.size() < 200) text += character;
    for (std::size_t most = 32; most < 100; ++most) {
      const std::string cut = shortened(text, most);
      EXPECT_LE(cut.size(), most);
      EXPECT_TRUE(is_utf8(cut)) << most << " " << cut;
    }
  }
  EXPECT_LE(shortened(std::string(100, '\x80'), 40).size(), 40u) << "what is no text, either";
}

}  // namespace
}  // namespace portico
