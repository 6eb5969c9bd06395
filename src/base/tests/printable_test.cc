#include "base/printable.h"

#include <gtest/gtest.h>

namespace portico {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "plain\n\ttext", "Grüße, 世界 👋", "a\xc2\xa0z"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, SpellsOutWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1b]0;title\a"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\rb\b\x7f"), "a\\x0db\\x08\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m")
      << "the one-character form of ESC [";
  EXPECT_EQ(printable("user\u202enimda"), "user\\u202enimda");
  EXPECT_EQ(printable("\u2066x\u2069"), "\\u2066x\\u2069");
}

TEST(Printable, SpellsOutWhatIsNoText) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80") << "an overlong NUL";
  EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8") << "cut short";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a surrogate pair";
}

TEST(Printable, KeepsColoursWhereTheyAreOurs) {
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m", true), "\x1b[31mred\x1b[0m");
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable("\x1b[2J\x1b[8mhidden", true), "\\x1b[2J\\x1b[8mhidden");
}

}  // namespace
}  // namespace portico
