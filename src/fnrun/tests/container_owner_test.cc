// Containers whose process has died, and those that cannot be checked.
#include "fnrun/internal/container_owner.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace portico::fnrun::internal {
namespace {

using Ids = std::vector<std::string>;

const ContainerOwner kOwn{"b0-1", "42", 7, 100};

TEST(ContainerOwner, IsReadAsItIsWritten) {
  EXPECT_EQ(text_of(kOwn), "b0-1/42/7/100");
  EXPECT_EQ(parse_asker("b0-1/42/7/100"), kOwn);
  for (const char* text :
       {"", "b0-1/42/7", "b0-1/42/7/100/1", "b0-1/42/-7/100", "b0-1/42/0/100", "b0-1/42/x/100",
        "b0-1/42/7/", "/42/7/100", "b0-1//7/100", "b 0/4/7/1", "b0-1/42/99999999999/1"})
    EXPECT_FALSE(parse_asker(text)) << text;
}

TEST(ContainerOwner, TheStartIsFoundBehindAnyName) {
  EXPECT_EQ(start_in("7 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 777 20"), 777u);
  EXPECT_EQ(start_in("7 (a) S (b) 1) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 777"), 777u);
  EXPECT_FALSE(start_in("7 (a) S 1 2 3"));
  EXPECT_FALSE(start_in(""));
}

TEST(ContainerOwner, ThisProcessIsAliveAndAnotherWithItsNumberIsNot) {
  const ContainerOwner own = own_asker();
  EXPECT_EQ(parse_asker(text_of(own)), own) << text_of(own);
  EXPECT_TRUE(is_alive(own.pid, own.started));
  EXPECT_FALSE(is_alive(own.pid, own.started + 1));
  EXPECT_TRUE(is_alive(1, *start_in([] {
                         std::string text(4096, ' ');
                         FILE* file = ::fopen("/proc/1/stat", "r");
                         text.resize(::fread(text.data(), 1, text.size(), file));
                         ::fclose(file);
                         return text;
                       }())));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_alive(child, own.started));
}

TEST(ContainerOwner, WhatIsLeftBehindIsWhoseProcessIsGone) {
  const auto of_seven = [](int pid, std::uint64_t started) { return pid == 7 && started == 100; };
  const struct {
    const char *what, *lines;
    Ids left;
  } kCases[] = {
      {"nothing", "", {}},
      {"own", "aa b0-1/42/7/100\n", {}},
      {"gone", "aa b0-1/42/8/100\nbb b0-1/42/7/100\ncc b0-1/42/9/1", {"aa", "cc"}},
      {"the number came again", "aa b0-1/42/7/99\n", {"aa"}},
      {"another boot, or machine", "aa b0-2/42/8/100\n", {}},
      {"another namespace", "aa b0-1/43/8/100\n", {}},
      {"no text of ours", "aa \nbb\ncc x/y\n\n", {}},
      {"what would be an option", "-f b0-1/42/8/100\n", {}},
  };
  for (const auto& one : kCases)
    EXPECT_EQ(left_behind(one.lines, kOwn, of_seven), one.left) << one.what;
}

}  // namespace
}  // namespace portico::fnrun::internal
