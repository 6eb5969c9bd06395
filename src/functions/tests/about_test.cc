#include "functions/about.h"

#include <gtest/gtest.h>

#include "functions/catalog.h"

namespace portico::functions {
namespace {

TEST(About, EveryBuiltInFunctionIsTold) {
  for (const Entry& entry : catalog()) {
    const About* told = about(entry.name);
    ASSERT_NE(told, nullptr) << entry.name;
    EXPECT_FALSE(told->does.empty() || told->does.ends_with(".")) << entry.name;
    EXPECT_TRUE(told->config.ends_with("\n")) << entry.name;
  }
  EXPECT_EQ(about("nothing"), nullptr);
}

}  // namespace
}  // namespace portico::functions
