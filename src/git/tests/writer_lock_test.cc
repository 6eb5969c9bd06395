// The lock between Portico writers: a waiting writer is woken, or gives up.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <thread>

#include "git/internal/ref_transaction.h"
#include "testing/cases.h"

namespace portico::git {
namespace {

/// Whether this process has an inotify descriptor open, as a thread that waits for the lock does.
bool somebody_watches() {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error))
    if (std::filesystem::read_symlink(entry.path(), error) == "anon_inode:inotify") return true;
  return false;
}

class WriterLockTest : public ::testing::Test {
 protected:
  portico::testing::TempDir temp_;
  const std::string folder_ = temp_.path().string();
};

TEST_F(WriterLockTest, IsHandedOnByWhoeverLetsGo) {
  std::optional<WriterLock> first = *WriterLock::take(folder_, 0);
  std::atomic<bool> got = false;
  std::jthread second([&] { got = bool(WriterLock::take(folder_, 60)); });
  while (!somebody_watches()) std::this_thread::yield();
  EXPECT_FALSE(got);
  first.reset();
  second.join();
  EXPECT_TRUE(got);
}

TEST_F(WriterLockTest, IsFreeWhenItsHolderIsKilled) {
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto lock = WriterLock::take(folder_, 0);
    static_cast<void>(::write(ready[1], lock ? "y" : "n", 1) == 0);
    ::pause();
    ::_exit(0);
  }
  char held = 0;
  ASSERT_EQ(::read(ready[0], &held, 1), 1);
  ASSERT_EQ(held, 'y');
  EXPECT_FALSE(WriterLock::take(folder_, 0));
  std::atomic<bool> got = false;
  std::jthread waiter([&] { got = bool(WriterLock::take(folder_, 60)); });
  while (!somebody_watches()) std::this_thread::yield();
  ::kill(holder, SIGKILL);
  waiter.join();
  EXPECT_TRUE(got);
  ::waitpid(holder, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(WriterLockTest, IsNotWaitedForByWhoeverIsToStop) {
  const auto first = WriterLock::take(folder_, 0);
  StopSource stop;
  std::jthread asks([&] {
    while (!somebody_watches()) std::this_thread::yield();
    stop.ask();
  });
  const auto second = WriterLock::take(folder_, 60, stop.stop());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kUnavailable);
  EXPECT_NE(second.error().what.find("stopped"), std::string::npos) << second.error().what;
}

}  // namespace
}  // namespace portico::git
