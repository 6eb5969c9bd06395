#include "cli/last_words.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "engine/parallel.h"

namespace portico::cli {
namespace {

TEST(LastWordsDeathTest, AnExceptionThatNobodyCatchesLeavesOneLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto die = [] {
    prepare_last_words();
    std::thread([] { throw std::runtime_error("a\nb at https://me:s3cr3t@host/x"); }).join();
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGABRT),
              "^portico: uncaught exception: a b at https://...@host/x\n$");
}

TEST(LastWordsDeathTest, AbortLeavesOneLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto die = [] {
    prepare_last_words();
    std::abort();
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGABRT), "^portico: crashed with SIGABRT");
}

TEST(LastWordsDeathTest, AFaultOfMemoryLeavesOneLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const int fault : {SIGBUS, SIGSEGV}) {
    struct sigaction now {};
    ASSERT_EQ(sigaction(fault, nullptr, &now), 0);
    if (now.sa_handler != SIG_DFL) GTEST_SKIP() << "a sanitizer reports it";
    const auto die = [fault] {
      prepare_last_words();
      std::raise(fault);
    };
    EXPECT_EXIT(die(), testing::KilledBySignal(fault), "^portico: crashed with SIG");
  }
}

// Not a tail call: each call uses the result of the next one.
int deeper(int depth, const volatile int* above) {
  volatile int room[256] = {depth};
  return depth > 1 << 28 ? *above : deeper(depth + 1, room) + room[depth % 256];
}

TEST(LastWordsDeathTest, AFullStackLeavesOneLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  struct sigaction now {};
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &now), 0);
  if (now.sa_handler != SIG_DFL) GTEST_SKIP() << "a sanitizer reports it";
  const auto die = [] {
    prepare_last_words();
    const volatile int none = 0;
    std::exit(deeper(0, &none));
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGSEGV), "^portico: crashed with SIG");
}

TEST(LastWordsDeathTest, AFullStackOfAWorkerLeavesOneLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  struct sigaction now {};
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &now), 0);
  if (now.sa_handler != SIG_DFL) GTEST_SKIP() << "a sanitizer reports it";
  const auto die = [] {
    prepare_last_words();
    const volatile int none = 0;
    engine::in_parallel(
        {{0}}, 1, [&](std::size_t) { std::exit(deeper(0, &none)); }, [](std::size_t) {});
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGSEGV), "^portico: crashed with SIG");
}

}  // namespace
}  // namespace portico::cli
