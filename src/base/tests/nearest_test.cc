#include "base/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace portico {
namespace {

const std::vector<std::string_view> kWords{"upstream",  "downstream", "labels",
                                           "injectors", "name",       "namespace"};

TEST(Nearest, IsTheWordThatWasMeant) {
  EXPECT_EQ(nearest("upstrem", kWords), "upstream");
  EXPECT_EQ(nearest("upstraem", kWords), "upstream") << "a swap is one slip";
  EXPECT_EQ(nearest("Upstream", kWords), "upstream") << "case is none";
  EXPECT_EQ(nearest("donwstreem", kWords), "downstream");
  EXPECT_EQ(nearest("lables", kWords), "labels");
  EXPECT_EQ(nearest("injector", kWords), "injectors");
  EXPECT_EQ(nearest("nam", kWords), "name");
}

TEST(Nearest, IsNothingWhereNoneIsNear) {
  EXPECT_EQ(nearest("pipeline", kWords), "");
  EXPECT_EQ(nearest("x", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(nearest("labels", {}), "");
  EXPECT_EQ(nearest(std::string(10'000, 'a'), kWords), "");
  const std::string long_word(100, 'a');
  const std::vector<std::string_view> long_words{long_word};
  EXPECT_EQ(nearest(std::string(64, 'a'), long_words), "");
}

TEST(Nearest, IsTheFirstOfEqualOnes) {
  const std::vector<std::string_view> words{"ab", "ac", "ad"};
  EXPECT_EQ(nearest("ax", words), "ab");
}

}  // namespace
}  // namespace portico
