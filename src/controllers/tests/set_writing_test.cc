// What is seen of a set while thousands of its variants are written, and what ends that.
#include <gtest/gtest.h>

#include "controllers/set.h"
#include "drafts/tests/fleet.h"
#include "json/text.h"
#include "registry/forwarding_registry.h"

namespace portico::controllers {
namespace {

using json::Value;

constexpr int kRepositories = 1000;

/// Each write of several objects takes 3 s; calls `after` when one is done.
class Slow : public registry::ForwardingRegistry {
 public:
  Slow(registry::Registry& below, drafts::Fleet& fleet)
      : ForwardingRegistry(below), fleet_(fleet) {}
  std::vector<Result<Value>> commit_each(const std::vector<registry::Write>& writes) override {
    auto out = ForwardingRegistry::commit_each(writes);
    written += writes.size();
    fleet_.clock.move(std::chrono::seconds(3));
    if (after) after();
    return out;
  }
  std::function<void()> after;
  std::size_t written = 0;

 private:
  drafts::Fleet& fleet_;
};

class SetWriting : public ::testing::Test {
 protected:
  SetWriting() {
    add(R"(
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: fleet, namespace: default, generation: 1}
spec:
  upstream: {repo: blueprints, package: web, revision: 1}
  targets: [{repositorySelector: {matchLabels: {tier: gold}}}]
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: blueprints, namespace: default}
spec: {type: git, git: {repo: /nowhere}}
---
apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: blueprints.web.v1, namespace: default}
spec: {repository: blueprints, packageName: web, workspaceName: v1, revision: 1, lifecycle: Published}
)");
    for (int i = 0; i < kRepositories; ++i)
      add(
          fmt::format("apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\n"
                      "metadata: {{name: edge-{}, namespace: default, labels: {{tier: gold}}}}\n"
                      "spec: {{type: git, git: {{repo: /nowhere}}}}\n",
                      i));
  }
  void add(const std::string& yaml) {
    for (const Value& each : drafts::objects_from(yaml)) fleet_.store_new(each);
  }
  Value set() const { return drafts::must(fleet_.registry->get(kKey)); }
  void change(const Value& set) {
    drafts::must(fleet_.registry->commit({{registry::Verb::kUpdate, set}}));
  }
  void reconcile() { drafts::must(reconcile_set(kKey, slow_, caches_, memory_, fleet_.clock)); }
  std::size_t variants() const { return fleet_.all(api::variant_kind()).size(); }

  const krm::ObjectKey kKey{api::variant_set_kind(), "default", "fleet"};
  drafts::Fleet fleet_;
  Slow slow_{*fleet_.registry, fleet_};
  Caches caches_;
  SetMemory memory_;
};

TEST_F(SetWriting, TellsHowFarItIs) {
  std::vector<std::string> said;
  slow_.after = [&] {
    const Value status = set()["status"];
    std::string text = json::print(status["targets"]);
    for (const Value& each : status["conditions"].items())
      text += fmt::format(" {}: {}", each["type"].as_string(), each["message"].as_string());
    said.push_back(fmt::format("{} written: {}", slow_.written, text));
  };
  reconcile();
  const std::string waiting =
      R"({"desired":1000,"failed":0,"ready":0,"waiting":1000} VariantsReady: )"
      "0 of 1000 are ready, 1000 waiting, 0 failed";
  EXPECT_EQ(said, (std::vector<std::string>{"200 written: null", "400 written: null",
                                            "600 written: " + waiting, "800 written: " + waiting,
                                            "1000 written: " + waiting}));
  const Value status = set()["status"];
  EXPECT_EQ(status["observedGeneration"].as_int(), 1);
  EXPECT_EQ(status["conditions"].items().size(), 3U);
}

TEST_F(SetWriting, EndsWhenTheSetIsChanged) {
  slow_.after = [&] {
    if (slow_.written == 400) change(set().with_at({"spec", "upstream", "revision"}, 2));
  };
  reconcile();
  EXPECT_EQ(variants(), 400U);
  EXPECT_TRUE(set()["status"].is_null()) << "the next reconcile tells";
}

TEST_F(SetWriting, EndsWhenTheSetIsSuspended) {
  slow_.after = [&] {
    if (slow_.written == 400)
      change(set().with_at({"metadata", "annotations"}, Value::object({{api::kSuspend, "true"}})));
  };
  reconcile();
  EXPECT_EQ(variants(), 400U);
}

TEST_F(SetWriting, EndsWhenTheSetIsDeleted) {
  slow_.after = [&] {
    if (slow_.written == 400)
      drafts::must(fleet_.registry->commit({{registry::Verb::kDelete, set()}}));
  };
  reconcile();
  EXPECT_EQ(slow_.written, 400U);
}

TEST_F(SetWriting, GoesOnWhenALabelIsChanged) {
  slow_.after = [&] {
    if (slow_.written == 400)
      change(set().with_at({"metadata", "labels"}, Value::object({{"team", "edge"}})));
  };
  reconcile();
  EXPECT_EQ(variants(), static_cast<std::size_t>(kRepositories));
}

}  // namespace
}  // namespace portico::controllers
