// Which process has which unit, and how a controller behaves when its units change.
#include "controllers/share.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "api/kinds.h"

namespace portico::controllers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::map<std::string, std::string> owners(const std::vector<std::string>& members) {
  std::map<std::string, std::string> out;
  for (int i = 0; i < 300; ++i) {
    const std::string unit = repository_unit("team", "edge-" + std::to_string(i));
    out[unit] = owner_of(unit, members);
  }
  return out;
}

TEST(Owners, AreTheSameInWhateverOrder) {
  EXPECT_EQ(owners({"a", "b", "c"}), owners({"c", "a", "b"}));
  EXPECT_EQ(owner_of("repository team/edge", {}), "");
  // A fixed value: processes of different versions must agree.
  EXPECT_EQ(owner_of("repository team/edge", {"portico-member-a", "portico-member-b"}),
            "portico-member-a");
}

TEST(Owners, WhoComesOrGoesMovesItsOwnUnitsOnly) {
  const auto three = owners({"a", "b", "c"}), two = owners({"a", "c"});
  std::map<std::string, int> counts;
  for (const auto& [unit, owner] : three) {
    ++counts[owner];
    if (owner != "b") {
      EXPECT_EQ(two.at(unit), owner) << unit;
    }
  }
  for (const auto& [owner, count] : counts) EXPECT_GT(count, 60) << owner << " of 300";
}

/// Has the units it is given.
class SomeShare : public Share {
 public:
  bool has(std::string_view unit) const override { return units.contains(std::string(unit)); }
  std::unique_ptr<Listening> on_change(std::function<void()> changed) override {
    return listeners_.add(std::move(changed));
  }
  void take(std::set<std::string> now) {
    units = std::move(now);
    listeners_.notify();
  }
  std::set<std::string> units;

 private:
  Listeners<> listeners_;
};

/// Records the keys it reconciles.
class Noting : public Controller {
 public:
  explicit Noting(std::vector<std::string>& looked) : looked_(looked) {}
  Workers workers() const override { return {.name = "noting"}; }
  std::vector<Wake> wake(const registry::Event& event) override {
    return {{krm::object_key(event.object)}};
  }
  Result<work::NextReconcile> reconcile(const krm::ObjectKey& key, const work::Run&) override {
    looked_.push_back(key.name);
    return work::NextReconcile{.after = std::chrono::seconds(60)};
  }

 private:
  std::vector<std::string>& looked_;
};

registry::Event event(registry::Change change, const std::string& name) {
  registry::Event out;
  out.change = change;
  out.object =
      json::Value::object({{"apiVersion", api::kConfigV1Alpha1}, {"kind", api::kRepositoryKind}})
          .with_at({"metadata", "name"}, name)
          .with_at({"metadata", "namespace"}, "team");
  return out;
}

krm::ObjectKey key(const std::string& name) { return {api::repository_kind(), "team", name}; }

TEST(WithinShare, LooksAtItsOwnAndAtWhatItTakesOver) {
  std::vector<std::string> looked;
  SomeShare share;
  share.units = {repository_unit("team", "a")};
  const auto controller = within_share(
      std::make_unique<Noting>(looked), api::repository_kind(),
      [](const krm::ObjectKey& one) { return repository_unit(one.ns, one.name); }, share);
  std::vector<std::string> woken;
  controller->attach([&](const krm::ObjectKey& one) { woken.push_back(one.name); });
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(controller->wake(event(registry::Change::kAdded, name)).size(), 1u);
    const auto next = controller->reconcile(key(name), {});
    ASSERT_TRUE(next);
    EXPECT_EQ(next->after.has_value(), std::string(name) == "a") << "of others nothing comes";
  }
  EXPECT_THAT(looked, ElementsAre("a"));
  EXPECT_THAT(woken, IsEmpty());

  controller->wake(event(registry::Change::kDeleted, "c"));
  share.take({repository_unit("team", "b"), repository_unit("team", "c")});
  EXPECT_THAT(woken, ElementsAre("a", "b")) << "what there is may have come or gone";
  for (const std::string& name : woken) ASSERT_TRUE(controller->reconcile(key(name), {}));
  EXPECT_THAT(looked, ElementsAre("a", "b"));
}

TEST(WithinShare, IsNotCalledWhenItHasGone) {
  std::vector<std::string> looked;
  SomeShare share;
  auto controller = within_share(
      std::make_unique<Noting>(looked), api::repository_kind(),
      [](const krm::ObjectKey& one) { return repository_unit(one.ns, one.name); }, share);
  int woken = 0;
  controller->attach([&](const krm::ObjectKey&) { ++woken; });
  controller->wake(event(registry::Change::kAdded, "a"));
  controller.reset();
  share.take({});
  EXPECT_EQ(woken, 0);
}

}  // namespace
}  // namespace portico::controllers
