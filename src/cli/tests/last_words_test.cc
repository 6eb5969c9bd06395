#include "cli/last_words.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace portico::cli {
namespace {

TEST(LastWordsDeathTest, AnExceptionThatNobodyCatchesLeavesOneLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto die = [] {
    prepare_last_words();
    std::thread([] { throw std::runtime_error("a\nb at https://me:s3cr3t@host/x"); }).join();
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGABRT),
              "^portico: ended by an exception that nobody caught: a b at https://...@host/x\n$");
}

TEST(LastWordsDeathTest, AbortLeavesOneLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto die = [] {
    prepare_last_words();
    std::abort();
  };
  EXPECT_EXIT(die(), testing::KilledBySignal(SIGABRT), "^portico: ended by a mistake of its own");
}

}  // namespace
}  // namespace portico::cli
