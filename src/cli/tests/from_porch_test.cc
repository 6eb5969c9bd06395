// The decisions of `portico migrate --from-porch`.
#include "cli/from_porch.h"

#include <gtest/gtest.h>

#include "api/kinds.h"
#include "json/text.h"
#include "krm/meta.h"
#include "packages/package_revs.h"

namespace portico::cli {
namespace {

using json::Value;

Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value) << value.error().text();
  return *value;
}

Value service(const std::string& name) {
  return Value::object({}).with_at({"spec", "service"},
                                   Value::object({{"name", name}, {"namespace", "packages"}}));
}

TEST(FromPorch, WhoServesPackages) {
  const Value porchs = service("api"), ours = service("portico-server");
  const Value local = parsed(R"({"spec": {"group": "config.porch.kpt.dev"}})");
  EXPECT_EQ(package_server(porchs, Value(), local), PackageServer::kPorch);
  EXPECT_EQ(package_server(Value(), Value(), local), PackageServer::kPorch);
  EXPECT_EQ(package_server(porchs, ours, local), PackageServer::kPorch)
      << "ours is installed, and porch.kpt.dev still leads elsewhere";
  EXPECT_EQ(package_server(ours, ours, local), PackageServer::kServers);
  EXPECT_EQ(package_server(ours, Value(), ours), PackageServer::kVolume);
}

Value deployment(const std::string& replicas, const std::string& container) {
  return parsed(R"({"spec": {"replicas": )" + replicas +
                R"(, "template": {"spec": {"containers": [{"name": "other"}, )" + container +
                "]}}}}");
}

TEST(FromPorch, WhoKeepsVariants) {
  const std::string on = R"({"env": [{"name": "ENABLE_PACKAGEVARIANTS", "value": "true"}]})";
  EXPECT_TRUE(keeps_variants(deployment("1", on)));
  EXPECT_TRUE(keeps_variants(deployment("null", on))) << "one is what there is without a number";
  EXPECT_FALSE(keeps_variants(deployment("0", on)));
  EXPECT_TRUE(keeps_variants(
      deployment("1", R"({"env": [{"name": "ENABLE_PACKAGEVARIANTSETS", "value": "true"}]})")));
  EXPECT_FALSE(keeps_variants(
      deployment("1", R"({"env": [{"name": "ENABLE_PACKAGEVARIANTS", "value": "false"}]})")));
  EXPECT_TRUE(keeps_variants(
      deployment("1", R"({"args": ["--v=2", "--reconcilers=repositories,packagevariants"]})")));
  EXPECT_TRUE(keeps_variants(deployment("1", R"({"command": ["run", "-reconcilers", "*"]})")));
  EXPECT_FALSE(keeps_variants(deployment("1", R"({"args": ["--reconcilers=repositories"]})")));
  EXPECT_FALSE(keeps_variants(deployment("1", R"({"args": ["packagevariants"]})")));
  EXPECT_FALSE(keeps_variants(Value::object({})));
  const Value ours = parsed(R"({"metadata": {"labels": {
    "app.kubernetes.io/name": "portico-controllers"}}})");
  EXPECT_TRUE(is_portico_controllers(ours));
  EXPECT_FALSE(is_portico_controllers(ours.with_at({"spec", "replicas"}, 0)));
  EXPECT_FALSE(is_portico_controllers(deployment("1", on)));
}

TEST(FromPorch, WhatRestedBeforeGoesOnToRest) {
  const Value plain = parsed(R"({"metadata": {"name": "web"}})");
  const Value suspended =
      parsed(R"({"metadata": {"name": "web", "annotations": {"portico.dev/suspend": "true"}}})");
  const Value resting = at_rest_for_now(plain);
  EXPECT_EQ(krm::annotation_of(resting, api::kSuspend), "true");
  EXPECT_TRUE(rests_for_now(resting));
  EXPECT_EQ(at_rest_for_now(resting), resting) << "twice is once";
  EXPECT_EQ(awake_again(resting), plain);
  EXPECT_EQ(at_rest_for_now(suspended), suspended);
  EXPECT_FALSE(rests_for_now(suspended));
}

TEST(FromPorch, WhatIsRememberedIsLikePorchs) {
  const Value revision = parsed(R"({
    "apiVersion": "porch.kpt.dev/v1alpha1", "kind": "PackageRevision",
    "metadata": {"name": "edge.web.v1", "namespace": "team", "uid": "1", "resourceVersion": "2",
                 "labels": {"by": "ada", "kpt.dev/latest-revision": "true"},
                 "annotations": {"a": "b"},
                 "ownerReferences": [{"apiVersion": "config.porch.kpt.dev/v1alpha1",
                                      "kind": "PackageVariant", "name": "web", "uid": "3"}]},
    "spec": {"repository": "edge"}, "status": {"x": 1}})");
  const Value kept = remembered(revision);
  EXPECT_TRUE(packages::left_by_porch(kept));
  EXPECT_EQ(krm::object_key(kept).type, packages::package_rev_kind());
  EXPECT_EQ(krm::owners_of(kept), krm::owners_of(revision));
  EXPECT_EQ(krm::string_map(kept["metadata"]["labels"]),
            (std::map<std::string, std::string>{{"by", "ada"},
                                                {"internal.porch.kpt.dev/repository", "edge"}}));
  EXPECT_EQ(krm::annotation_of(kept, "a"), "b");
  EXPECT_EQ(kept["metadata"].find("uid"), nullptr);
  EXPECT_EQ(kept["metadata"].find("resourceVersion"), nullptr);
  EXPECT_EQ(kept.find("status"), nullptr);
}

}  // namespace
}  // namespace portico::cli
