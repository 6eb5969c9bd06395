// What the reconcile of a set reads: only its own variants and what it selects, however many
// objects exist.
#include <gtest/gtest.h>

#include "controllers/set.h"
#include "drafts/tests/fleet.h"
#include "registry/forwarding_registry.h"

namespace portico::controllers {
namespace {

/// Counts the objects that are returned.
class Counted : public registry::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;
  Result<json::Value> get(const krm::ObjectKey& key) const override {
    ++objects;
    return ForwardingRegistry::get(key);
  }
  Result<registry::Listing> list(const registry::Query& query) const override {
    auto out = ForwardingRegistry::list(query);
    if (out) objects += out->objects.size();
    return out;
  }
  mutable std::size_t objects = 0;
};

constexpr const char* kSet = R"(
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: fleet, namespace: default}
spec:
  upstream: {repo: blueprints, package: web, revision: 1}
  targets:
  - repositories: [{name: edge-1}]
  - repositorySelector: {matchLabels: {tier: gold}}
  - objectSelector: {apiVersion: v1, kind: ConfigMap, name: named}
    template: {downstream: {repo: edge-2, packageExpr: "'of-' + target.name"}}
  - objectSelector: {apiVersion: v1, kind: ConfigMap, matchLabels: {tier: gold}}
    template: {downstream: {repoExpr: "'edge-' + target.labels['edge']"}}
)";

class SetReads : public ::testing::Test {
 protected:
  SetReads() {
    add(kSet);
    for (const char* name : {"blueprints", "edge-1", "edge-2", "edge-3"}) repository(name);
    repository("chosen", "labels: {tier: gold}");
    add(R"(
apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: blueprints.web.v1, namespace: default}
spec: {repository: blueprints, packageName: web, workspaceName: v1, revision: 1, lifecycle: Published}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: named, namespace: default}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: chosen, namespace: default, labels: {tier: gold, edge: "3"}}
)");
  }
  void add(const std::string& yaml) {
    for (const json::Value& each : drafts::objects_from(yaml)) fleet_.store_new(each);
  }
  void repository(const std::string& name, const std::string& more = "") {
    add(
        fmt::format("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\n"
                    "metadata: {{name: {}, namespace: default, {}}}\n"
                    "spec: {{type: git, git: {{repo: /nowhere}}}}\n",
                    name, more));
  }
  void add_others(int from, int to) {
    for (int i = from; i < to; ++i) {
      repository(fmt::format("other-{}", i), "labels: {tier: tin}");
      add(
          fmt::format("apiVersion: v1\nkind: ConfigMap\n"
                      "metadata: {{name: other-{}, namespace: default, labels: {{tier: tin}}}}\n"
                      "---\n"
                      "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n"
                      "metadata: {{name: other-{}, namespace: default}}\n"
                      "spec: {{upstream: {{repo: blueprints, package: web, revision: 1}}, "
                      "downstream: {{repo: edge-1, package: p{}}}}}\n",
                      i, i, i));
    }
  }
  /// How many objects a reconcile without cached state reads.
  std::size_t look() {
    Counted counted(*fleet_.registry);
    Caches caches;
    SetMemory memory;
    const krm::ObjectKey key{api::variant_set_kind(), "default", "fleet"};
    drafts::must(reconcile_set(key, counted, caches, memory, fleet_.clock));
    return counted.objects;
  }
  std::vector<std::string> variants() const {
    std::vector<std::string> out;
    for (const json::Value& each : fleet_.all(api::variant_kind()))
      if (!krm::owners_of(each).empty()) out.emplace_back(krm::name_of(each));
    return out;
  }

  drafts::Fleet fleet_;
};

TEST_F(SetReads, AreNotMoreForWhatIsNotItsOwn) {
  const std::vector<std::string> wanted{"fleet-chosen-web", "fleet-edge-1-web",
                                        "fleet-edge-2-of-named", "fleet-edge-3-web"};
  add_others(0, 3);
  look();
  EXPECT_EQ(variants(), wanted);
  const std::size_t few = look();
  add_others(3, 200);
  EXPECT_EQ(look(), few) << "with 600 more objects in the namespace";
  EXPECT_EQ(variants(), wanted);
}

TEST_F(SetReads, TellNamesThatAreTaken) {
  for (const char* name : {"fleet-edge-1-web", "fleet-chosen-web"})
    add(
        fmt::format("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n"
                    "metadata: {{name: {}, namespace: default}}\n"
                    "spec: {{upstream: {{repo: blueprints, package: web, revision: 1}}, "
                    "downstream: {{repo: edge-1, package: mine}}}}\n",
                    name));
  look();
  const auto names = variants();
  ASSERT_EQ(names.size(), 4U);
  EXPECT_TRUE(names[0].starts_with("fleet-chosen-web-")) << names[0];
  EXPECT_TRUE(names[1].starts_with("fleet-edge-1-web-")) << names[1];
}

}  // namespace
}  // namespace portico::controllers
