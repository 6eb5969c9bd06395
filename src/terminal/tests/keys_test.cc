#include "terminal/keys.h"

#include <gtest/gtest.h>

#include <string>

namespace portico::terminal {
namespace {

std::string names(std::string_view bytes) {
  static constexpr const char* kNames[] = {"up",   "down", "page-up", "page-down",
                                           "home", "end",  "enter",   "escape"};
  std::string out;
  for (const Press& one : presses(bytes)) {
    if (!out.empty()) out += ' ';
    out += one.key == Key::kCharacter ? std::string(1, one.character)
                                      : kNames[static_cast<std::size_t>(one.key)];
  }
  return out;
}

TEST(Keys, AreNamed) {
  EXPECT_EQ(names("qa\r\n"), "q a enter enter");
  EXPECT_EQ(names("\x1b[A\x1b[B\x1bOA\x1bOB\x1b[5~\x1b[6~\x1b[H\x1b[F"),
            "up down up down page-up page-down home end");
  EXPECT_EQ(names("\x1b"), "escape");
}

TEST(Keys, ThatAreUnknownDoNothing) {
  EXPECT_EQ(names("\x1b[C\x1b[D\x1b[3~\x1b[1;5A\x1b[15~\x1bOP"), "") << "arrows, Delete, F keys";
  EXPECT_EQ(names("\x1b"
                  "a"
                  "x"),
            "x")
      << "Alt and a is no a";
  EXPECT_EQ(names("\x1b["), "");
  EXPECT_EQ(names("\x1bO"), "");
}

}  // namespace
}  // namespace portico::terminal
