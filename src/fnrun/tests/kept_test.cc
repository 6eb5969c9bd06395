// Which function servers stay connected.
#include "fnrun/kept.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace portico::fnrun {
namespace {

using ::testing::ElementsAre;

/// Registers itself in a set while it exists.
struct Server {
  Server(std::set<int>& all, int which) : there(all), number(which) { there.insert(which); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { there.erase(number); }
  std::set<int>& there;
  int number;
};

class KeptTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Server> use(int number) {
    const std::string name = std::to_string(number);
    if (auto found = kept_.find(name)) return found;
    return kept_.add(name, std::make_shared<const Server>(there_, number));
  }
  std::set<int> there_;
  Kept<Server> kept_{4};
};

TEST_F(KeptTest, WhoWasUsedLongestAgoGoes) {
  for (const int number : {1, 2, 3, 4}) use(number);
  EXPECT_THAT(there_, ElementsAre(1, 2, 3, 4));
  use(1);
  use(5);
  EXPECT_THAT(there_, ElementsAre(1, 3, 4, 5)) << "one goes, not all";
  use(6);
  EXPECT_THAT(there_, ElementsAre(1, 4, 5, 6));
}

TEST_F(KeptTest, WhoIsInUseStays) {
  std::vector<std::shared_ptr<const Server>> held{use(1), use(2), use(3)};
  for (const int number : {4, 5, 6, 7}) use(number);
  EXPECT_THAT(there_, ElementsAre(1, 2, 3, 7));
  EXPECT_EQ(use(1), held[0]) << "it is not made a second time";
  held.push_back(use(7));
  held.push_back(use(8));
  EXPECT_EQ(kept_.size(), 5U) << "all are in use";
  held.clear();
  use(9);
  EXPECT_EQ(kept_.size(), 4U);
  EXPECT_EQ(there_.size(), 4U);
}

TEST_F(KeptTest, TwoWhoMakeItHaveOne) {
  const auto first = kept_.add("1", std::make_shared<const Server>(there_, 1));
  const auto second = kept_.add("1", std::make_shared<const Server>(there_, 1));
  EXPECT_EQ(first, second);
}

TEST(KeptByThreads, NeverLosesWhatIsInUse) {
  Kept<std::string> kept(4);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 2000; ++n) {
        const std::string name = std::to_string((n * (i + 1)) % 11);
        auto one = kept.find(name);
        if (!one) one = kept.add(name, std::make_shared<const std::string>(name));
        ASSERT_EQ(*one, name);
        ASSERT_EQ(kept.find(name), one) << "while it is held";
      }
    });
  threads.clear();
  EXPECT_LE(kept.size(), 8U);
}

}  // namespace
}  // namespace portico::fnrun
