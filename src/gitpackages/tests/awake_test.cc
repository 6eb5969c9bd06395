// Of many repositories only the most recently used stay awake.
#include "gitpackages/internal/awake.h"

#include <gtest/gtest.h>

namespace portico::gitpackages {
namespace {

struct One {
  int rests = 0;
  void rest() { ++rests; }
};

TEST(Awake, WhatWasUsedLongestAgoRests) {
  Awake<One> awake(2);
  const auto a = std::make_shared<One>(), b = std::make_shared<One>(), c = std::make_shared<One>();
  awake.use(a);
  awake.use(b);
  awake.use(a);
  EXPECT_EQ(a->rests + b->rests, 0);
  awake.use(c);
  EXPECT_EQ(b->rests, 1);
  EXPECT_EQ(a->rests + c->rests, 0);
  awake.use(b);
  EXPECT_EQ(a->rests, 1) << "c was used after it";
  EXPECT_EQ(c->rests, 0);
}

TEST(Awake, WhatIsGoneIsForgotten) {
  Awake<One> awake(2);
  const auto a = std::make_shared<One>();
  awake.use(a);
  for (int i = 0; i < 10; ++i) awake.use(std::make_shared<One>());
  EXPECT_EQ(a->rests, 1);
}

}  // namespace
}  // namespace portico::gitpackages
