// Cached token reviews: valid and invalid tokens are asked for once in ten seconds, within
// bounds.
#include "identity/reviewed_tokens.h"

#include <gtest/gtest.h>

#include <map>

namespace portico::identity {
namespace {

class SetClock : public Clock {
 public:
  TimePoint now() const override { return time; }
  TimePoint time{};
};

class ReviewedTokensTest : public ::testing::Test {
 protected:
  Result<access::User> answer(const std::string& token) {
    ++asked_[token];
    if (away_) return unavailable("the cluster does not answer");
    if (token.starts_with("bad")) return invalid("invalid token").because(Reason::kUnauthorized);
    return access::User{.name = "user of " + token, .groups = {}};
  }

  SetClock clock_;
  bool away_ = false;
  std::map<std::string, int> asked_;
  ReviewedTokens tokens_{[this](const std::string& token) { return answer(token); }, clock_};
};

TEST_F(ReviewedTokensTest, AsksOnceInTenSeconds) {
  for (int i = 0; i < 3; ++i) {
    const auto good = tokens_.user_of("good");
    ASSERT_TRUE(good);
    EXPECT_EQ(good->name, "user of good");
    const auto bad = tokens_.user_of("bad");
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().reason, Reason::kUnauthorized);
    EXPECT_EQ(bad.error().code, Code::kInvalid);
  }
  EXPECT_EQ(asked_["good"], 1);
  EXPECT_EQ(asked_["bad"], 1) << "that it is not good is kept, too";
  clock_.time += std::chrono::seconds(10);
  EXPECT_TRUE(tokens_.user_of("good"));
  EXPECT_FALSE(tokens_.user_of("bad"));
  EXPECT_EQ(asked_["good"], 2) << "who is taken the right loses it";
  EXPECT_EQ(asked_["bad"], 2) << "and a token may become good";
}

TEST_F(ReviewedTokensTest, WhatCannotBeToldIsAskedAgain) {
  away_ = true;
  EXPECT_EQ(tokens_.user_of("good").error().code, Code::kUnavailable);
  away_ = false;
  EXPECT_TRUE(tokens_.user_of("good"));
  EXPECT_EQ(asked_["good"], 2);
}

TEST_F(ReviewedTokensTest, ManyBadTokensPushOutNoGoodOne) {
  EXPECT_TRUE(tokens_.user_of("good"));
  for (int i = 0; i < 20'000; ++i) EXPECT_FALSE(tokens_.user_of("bad" + std::to_string(i)));
  EXPECT_TRUE(tokens_.user_of("good"));
  EXPECT_EQ(asked_["good"], 1);
  EXPECT_FALSE(tokens_.user_of("bad0"));
  EXPECT_EQ(asked_["bad0"], 2) << "what is kept is bounded";
  EXPECT_FALSE(tokens_.user_of("bad19999"));
  EXPECT_EQ(asked_["bad19999"], 1);
}

}  // namespace
}  // namespace portico::identity
