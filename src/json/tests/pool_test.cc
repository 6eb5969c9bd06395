#include "json/pool.h"

#include <gtest/gtest.h>

#include <string>

#include "json/tests/random_value.h"
#include "json/text.h"

namespace portico::json {
namespace {

Value value_of(const std::string& text) { return *parse(text); }

TEST(Pool, PartsOfDifferentObjectsAreKeptOnce) {
  Pool pool(1024);
  const auto variant = [&](const std::string& name) {
    return pool.intern(value_of(
        R"({"metadata": {"name": ")" + name +
        R"(", "ownerReferences": [{"kind": "PackageVariantSet", "uid": "2ce84fe4-f795-479d-be10"}]},
            "spec": {"upstream": {"package": "web", "repo": "blueprints"}},
            "status": {"conditions": [{"message": "all validation checks passed"}]}})"));
  };
  const Value one = variant("cluster-1"), other = variant("cluster-2");
  EXPECT_EQ(other["metadata"]["name"], Value("cluster-2"));
  EXPECT_FALSE(other.same_as(one));
  EXPECT_FALSE(other["metadata"].same_as(one["metadata"]));
  EXPECT_TRUE(other["metadata"]["ownerReferences"].same_as(one["metadata"]["ownerReferences"]));
  EXPECT_TRUE(other["spec"].same_as(one["spec"]));
  EXPECT_TRUE(other["status"].same_as(one["status"]));
  EXPECT_TRUE(variant("cluster-2").same_as(other));
  EXPECT_TRUE(pool.intern(other).same_as(other));
}

TEST(Pool, KeysToo) {
  Pool pool(1024);
  const Value one = pool.intern(value_of(R"({"lastTransitionTime": 1})")),
              other = pool.intern(value_of(R"({"lastTransitionTime": 2})"));
  EXPECT_TRUE(other.members()[0].key.same_as(one.members()[0].key));
}

TEST(Pool, EqualNumbersThatArePrintedDifferentlyStayDifferent) {
  Pool pool(1);
  for (const char* text : {"[0.0]", "[-0.0]", "[0]", "[1]", "[1.0]", "[18446744073709551615]"})
    EXPECT_EQ(print(pool.intern(value_of(text))), print(value_of(text)));
}

TEST(Pool, LargePartsAreNotRemembered) {
  Pool pool(1024);
  const std::string text =
      R"(["a part of its own", ")" + std::string(Pool::kLargest, 'x') + R"("])";
  const Value one = pool.intern(value_of(text)), other = pool.intern(value_of(text));
  EXPECT_FALSE(other.same_as(one));
  EXPECT_TRUE(other[std::size_t{0}].same_as(one[std::size_t{0}]));
  EXPECT_FALSE(other[std::size_t{1}].same_as(one[std::size_t{1}]));
}

TEST(Pool, RandomValuesStayAsTheyAre) {
  RandomValues random(1);
  for (const std::size_t parts :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    Pool pool(parts);
    for (int i = 0; i < 1000; ++i) {
      const std::string text = print(random.value());
      EXPECT_EQ(print(pool.intern(value_of(text))), text);
    }
  }
}

}  // namespace
}  // namespace portico::json
