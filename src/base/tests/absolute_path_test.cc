#include "base/absolute_path.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace portico {
namespace {

TEST(AbsolutePath, IsCleanAndFromTheRoot) {
  const std::string here = std::filesystem::current_path().string();
  for (const auto& [path, whole] : std::vector<std::pair<std::string, std::string>>{
           {"/a/./b/../c//", "/a/c"}, {"/", "/"}, {".", here}, {"x/", here + "/x"}}) {
    const auto found = absolute_path(path);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_EQ(*found, whole) << path;
  }
}

TEST(AbsolutePath, OfNothingIsAnError) {
  EXPECT_EQ(absolute_path("").error().code, Code::kInvalid);
}

}  // namespace
}  // namespace portico
