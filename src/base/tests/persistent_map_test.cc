// Compares the persistent map with std::map, and its copies with their state when they were taken.
#include "base/persistent_map.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace portico {
namespace {

using Map = PersistentMap<std::string, int>;
using Plain = std::map<std::string, int, std::less<>>;

std::string key(int n) { return "k" + std::to_string(100'000 + n); }

Plain plain(const Map& map) {
  Plain out;
  std::string last;
  for (auto at = map.begin(); at; ++at) {
    EXPECT_LT(last, at->key);
    last = at->key;
    out.emplace(at->key, at->value);
  }
  EXPECT_EQ(out.size(), map.size());
  return out;
}

void expect_same(const Map& map, const Plain& want) {
  ASSERT_EQ(plain(map), want);
  EXPECT_EQ(map.empty(), want.empty());
  std::size_t before = 0;
  for (const auto& [name, value] : want) {
    const int* found = map.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(*found, value);
    EXPECT_EQ(map.rank(name), before++);
  }
}

// Keys come in ascending, descending or random order; runs of insertions make the tree deep, runs
// of removals shrink it again.
RC_GTEST_PROP(PersistentMap, IsAsAStdMapAndItsCopiesStay, ()) {
  Map map;
  Plain want;
  std::vector<std::pair<Map, Plain>> copies;
  int next = 50'000, low = 50'000;
  for (int left = *rc::gen::inRange(0, 30); left > 0; --left) {
    const int what = *rc::gen::inRange(0, 5);
    const int many = *rc::gen::inRange(1, 200);
    for (int i = 0; i < many; ++i) {
      if (what == 4) {  // from the left, like expiring events
        if (want.empty()) break;
        const std::string gone = want.begin()->first;
        EXPECT_TRUE(map.erase(gone));
        want.erase(gone);
        continue;
      }
      const std::string one = what == 0   ? key(next++)
                              : what == 1 ? key(--low)
                                          : key(*rc::gen::inRange(0, 300) + 49'900);
      if (what == 3) {
        EXPECT_EQ(map.erase(one), want.erase(one) > 0);
      } else {
        const auto [value, added] = map.edit(one);
        EXPECT_EQ(added, !want.contains(one));
        *value = i;
        want[one] = i;
      }
    }
    if (*rc::gen::inRange(0, 3) == 0) copies.emplace_back(map, want);
  }
  expect_same(map, want);
  for (const auto& [copy, then] : copies) expect_same(copy, then);

  for (int i = 0; i < 20; ++i) {
    const std::string from = key(*rc::gen::inRange(49'000, 51'000));
    const auto found = map.lower_bound(from);
    const auto wanted = want.lower_bound(from);
    RC_ASSERT(bool(found) == (wanted != want.end()));
    if (found) RC_ASSERT(found->key == wanted->first);
    RC_ASSERT(map.rank(from) == static_cast<std::size_t>(std::distance(want.begin(), wanted)));
  }
  auto at = map.begin();
  auto wanted = want.begin();
  while (at) {
    RC_ASSERT(at->key == wanted->first);
    const std::string to = key(*rc::gen::inRange(49'000, 51'000));
    at.seek(to);
    if (to > wanted->first) wanted = want.lower_bound(to);
    if (!at) break;
    RC_ASSERT(at->key == wanted->first);
    ++at;
    ++wanted;
  }
  RC_ASSERT(wanted == want.end());
}

TEST(PersistentMap, CopiesShareWhatIsNotChanged) {
  Map map;
  for (int i = 0; i < 10'000; ++i) *map.edit(key(i)).first = i;
  const Map copy = map;
  EXPECT_EQ(copy.find(key(1)), map.find(key(1)));
  *map.edit(key(1)).first = -1;
  EXPECT_EQ(*copy.find(key(1)), 1);
  EXPECT_EQ(*map.find(key(1)), -1);
  EXPECT_EQ(copy.find(key(9'999)), map.find(key(9'999)));
}

}  // namespace
}  // namespace portico
