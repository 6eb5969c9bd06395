#include "controllers/status_throttle.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "api/kinds.h"
#include "controllers/kinds.h"
#include "controllers/tests/passing_store.h"
#include "drafts/tests/fleet.h"
#include "registry/forwarding_registry.h"

namespace portico::controllers {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSlow{600};  // a tenth of the longest rest, and some more

/// Writes as slowly as a cluster does for a large set.
class SlowRegistry : public registry::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;
  std::vector<Result<json::Value>> commit_each(
      const std::vector<registry::Write>& writes) override {
    std::this_thread::sleep_for(kSlow);
    return ForwardingRegistry::commit_each(writes);
  }
};

/// Reads repositories as slowly as over a network.
class SlowStore : public PassingStore {
 public:
  using PassingStore::PassingStore;
  Result<packages::Synced> sync(const json::Value& repository) override {
    std::this_thread::sleep_for(kSlow);
    return PassingStore::sync(repository);
  }
};

/// How long the first key that the event wakes has to rest.
milliseconds rest_after(Controller& controller, const json::Value& object) {
  const auto woken = controller.wake({registry::Change::kAdded, object, {}, 1});
  EXPECT_FALSE(woken.empty());
  return woken.empty() ? milliseconds(-1) : woken.front().after;
}

class Rests : public ::testing::Test {
 protected:
  Rests() {
    fleet_.make_git("edge");
    repository_ = fleet_.store_new(fleet_.repository_object("edge", "edge"));
  }

  drafts::Fleet fleet_;
  SlowRegistry registry_{*fleet_.registry};
  SlowStore packages_{*fleet_.packages};
  RepositoryHealth health_;
  const World world_{.registry = registry_,
                     .packages = packages_,
                     .drafts = *fleet_.drafts,
                     .repository_health = health_,
                     .clock = fleet_.clock};
  json::Value repository_;
};

TEST_F(Rests, OfASetAreNotLongerForTheWritesOfItsVariants) {
  fleet_.store_new(fleet_.repository_object("blueprints", "edge"));
  fleet_.store_new(drafts::objects_from(R"(
apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: blueprints.web.v1, namespace: default}
spec: {repository: blueprints, packageName: web, workspaceName: v1, revision: 1, lifecycle: Published}
)")[0]);
  const json::Value set = fleet_.store_new(drafts::objects_from(R"(
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: fleet, namespace: default}
spec:
  upstream: {repo: blueprints, package: web, revision: 1}
  targets:
  - repositories: [{name: edge}]
)")[0]);
  const auto controller = set_controller(world_, std::make_shared<Caches>());
  ASSERT_TRUE(controller->reconcile(krm::object_key(set), {}));
  const auto variants = fleet_.all(api::variant_kind());
  ASSERT_EQ(variants.size(), 1U);
  EXPECT_LT(rest_after(*controller, variants[0]), std::chrono::seconds(5));
}

TEST_F(Rests, OfARepositoryAreNotLongerForItsSync) {
  const auto controller = repository_controller(world_);
  EXPECT_EQ(rest_after(*controller, repository_), milliseconds(0));
  ASSERT_TRUE(controller->reconcile(krm::object_key(repository_), {}));
  EXPECT_LT(rest_after(*controller, drafts::objects_from(R"(
apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: edge.web.w, namespace: default}
spec: {repository: edge, packageName: web, workspaceName: w, lifecycle: Draft}
)")[0]),
            std::chrono::seconds(5));
}

TEST(StatusThrottle, AreForgottenWhenTheyAreOver) {
  StatusThrottle rests;
  constexpr int kKeys = 10'000;
  for (int i = 0; i < kKeys; ++i)
    rests.done({{"test", "Thing"}, "default", std::to_string(i)}, StatusThrottle::Clock::now());
  EXPECT_LT(rests.size(), std::size_t{kKeys / 2});
}

TEST(StatusThrottle, LastAsLongAsTheLookTimesTen) {
  StatusThrottle rests;
  const krm::ObjectKey key{{"test", "Thing"}, "default", "a"};
  EXPECT_EQ(rests.left(key).count(), 0);
  rests.done(key, StatusThrottle::Clock::now() - std::chrono::hours(1));
  EXPECT_GT(rests.left(key).count(), 0);
  EXPECT_LE(rests.left(key), std::chrono::seconds(5));
}

}  // namespace
}  // namespace portico::controllers
