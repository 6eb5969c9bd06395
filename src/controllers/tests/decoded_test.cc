#include "controllers/decoded.h"

#include <gtest/gtest.h>

#include "json/text.h"

namespace portico::controllers {
namespace {

using json::Value;

TEST(Decoded, IsFoundAgainForAnObjectBuiltFromTheSameParts) {
  const Value object = *json::parse(R"({
    "apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "PackageVariant",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {"upstream": {"repo": "blueprints", "package": "web"}}})");
  Decoded<api::PackageVariant> cache;
  const auto first = cache.get(object);
  ASSERT_TRUE(first.ok());
  const Value rebuilt = object.without("spec").with("spec", object["spec"]);
  ASSERT_FALSE(rebuilt.same_as(object));
  EXPECT_EQ(*cache.get(rebuilt), *first);

  const Value changed = object.with_at({"spec", "upstream", "package"}, "other");
  const auto second = cache.get(changed);
  ASSERT_TRUE(second.ok());
  EXPECT_NE(*second, *first);
  EXPECT_EQ((*second)->spec.upstream->package, "other");
  cache.forget(krm::object_key(object));
  EXPECT_NE(*cache.get(changed), *second);
}

TEST(Decoded, StartsAnewWhenFull) {
  const auto named = [](const char* name) {
    return Value::object({{"apiVersion", "config.porch.kpt.dev/v1alpha1"},
                          {"kind", "PackageVariant"},
                          {"metadata", Value::object({{"name", name}, {"namespace", "default"}})}});
  };
  Decoded<api::PackageVariant> cache(2);
  const Value a = named("a"), b = named("b"), c = named("c");
  const auto first = *cache.get(a);
  EXPECT_EQ(*cache.get(a), first);
  ASSERT_TRUE(cache.get(b).ok());
  EXPECT_EQ(*cache.get(a), first);
  ASSERT_TRUE(cache.get(c).ok());
  const auto again = *cache.get(a);
  EXPECT_NE(again, first);
  EXPECT_EQ(*again, *first);
}

}  // namespace
}  // namespace portico::controllers
