// Random writes: indexes must agree with a full scan, also after a restart, and the events must
// lead from one listing to the next.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "registry/write_rules.h"
#include "store/tests/store_fixture.h"
#include "testing/cases.h"

namespace portico::store {

using registry::Change;
using registry::Event;
using registry::Propagation;
using registry::Query;
using registry::Registry;
using registry::ResourceVersion;
using registry::Verb;
using registry::Write;

namespace {

const krm::GroupKind kThing = {"test", "Thing"};

class RandomWrites {
 public:
  explicit RandomWrites(unsigned seed) : random_(seed) {}

  std::vector<Write> batch(const Registry& store) {
    std::vector<Write> writes;
    for (int left = 1 + pick(4); left > 0; --left) writes.push_back(write(store));
    return writes;
  }
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

 private:
  Write write(const Registry& store) {
    json::Value object = thing("t" + std::to_string(pick(12)), pick(4))
                             .with_at({"metadata", "namespace"}, "ns" + std::to_string(pick(2)));
    if (pick(2) == 0)
      object = object.with_at({"metadata", "labels", "app"}, "a" + std::to_string(pick(3)));
    if (pick(4) == 0) object = krm::with_finalizers(object, {"x.io/hold"});
    if (pick(3) == 0) {
      const auto all = everything(store);
      std::vector<krm::OwnerReference> owners;
      for (int left = 1 + pick(2); left > 0 && !all.empty(); --left) {
        const json::Value& owner =
            all[static_cast<std::size_t>(pick(static_cast<int>(all.size())))];
        owners.push_back({"test/v1", "Thing", std::string(krm::name_of(owner)),
                          std::string(krm::uid_of(owner)), false, pick(2) == 0});
      }
      object = krm::with_owners(object, owners);
    }
    constexpr Verb kVerbs[] = {Verb::kCreate, Verb::kCreate, Verb::kUpdate, Verb::kUpdate,
                               Verb::kDelete};
    constexpr Propagation kPropagations[] = {Propagation::kBackground, Propagation::kOrphan,
                                             Propagation::kForeground};
    return {kVerbs[pick(5)], object, kPropagations[pick(3)]};
  }

  std::mt19937 random_;

 public:
  static std::vector<json::Value> everything(const Registry& store) {
    Query query;
    query.type = kThing;
    return store.list(query)->objects;
  }
};

void expect_indexes_right(const Registry& store) {
  const auto all = RandomWrites::everything(store);
  const auto expect = [&](const Query& query, auto matches) {
    std::vector<json::Value> want;
    for (const json::Value& object : all)
      if ((query.ns.empty() || krm::namespace_of(object) == query.ns) && matches(object))
        want.push_back(object);
    EXPECT_EQ(store.list(query)->objects, want);
  };
  Query query;
  query.type = kThing;
  for (const char* ns : {"", "ns1"}) {
    query.ns = ns;
    for (const char* text : {"app=a0", "app in (a1,a2)", "app!=a0", "!app", "app=a1,app!=a2"}) {
      query.labels = *krm::LabelSelector::parse(text);
      expect(query, [&](const json::Value& one) { return query.labels.matches_object(one); });
    }
    query.labels = {};
    query.fields = {{"n", "2"}};
    expect(query, [](const json::Value& one) { return one["spec"]["n"].as_int() == 2; });
    query.fields.clear();
    for (const json::Value& owner : all) {
      query.owner = std::string(krm::uid_of(owner));
      expect(query, [&](const json::Value& one) {
        const auto owners = krm::owners_of(one);
        return std::any_of(owners.begin(), owners.end(),
                           [&](const auto& each) { return each.uid == *query.owner; });
      });
    }
    query.owner.reset();
  }
}

// No object names an owner that does not exist, or waits for dependents that do not exist.
void expect_owners_right(const Registry& store) {
  const auto all = RandomWrites::everything(store);
  for (const json::Value& object : all) {
    const auto owns = [&](const json::Value& other, bool blocking) {
      const auto owners = krm::owners_of(other);
      if (krm::namespace_of(other) != krm::namespace_of(object)) return false;
      return std::any_of(owners.begin(), owners.end(), [&](const krm::OwnerReference& each) {
        return each.uid == krm::uid_of(object) && (!blocking || each.block_owner_deletion);
      });
    };
    if (registry::waits_for_dependents(object)) {
      EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                              [&](const json::Value& other) { return owns(other, true); }))
          << krm::object_key(object).text() << " waits for nothing";
    }
    if (krm::is_deleting(object)) continue;
    for (const krm::OwnerReference& each : krm::owners_of(object)) {
      EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                              [&](const json::Value& other) {
                                return krm::uid_of(other) == each.uid &&
                                       krm::namespace_of(other) == krm::namespace_of(object);
                              }))
          << krm::object_key(object).text() << " has an owner that is gone";
    }
  }
}

TEST(RandomUse, IndexesEventsAndRestartsAgree) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    testing::TempDir folder;
    const EmbeddedOptions options = {.folder = folder.path(),
                                     .durability = Durability::kProcess,
                                     .watch_window = 64,
                                     .indexes = {{kThing, "n", {{"spec", "n"}}}}};
    RandomWrites random(seed);
    auto store = open_or_die(options);
    std::map<krm::ObjectKey, json::Value> followed;  // built from events alone
    ResourceVersion seen = store->version();
    for (int step = 0; step < 150; ++step) {
      const auto writes = random.batch(*store);
      const ResourceVersion before = store->version();
      if (random.pick(2) == 0) {
        if (!store->commit(writes)) {
          EXPECT_EQ(store->version(), before);
        }
      } else {
        EXPECT_EQ(store->commit_each(writes).size(), writes.size());
      }
      if (random.pick(20) == 0) {
        store.reset();
        store = open_or_die(options);
      }
      const auto watch = store->watch({}, seen);
      const auto events = watch->next(std::chrono::milliseconds(0));
      ASSERT_TRUE(events) << events.error().text();
      for (const Event& event : *events) {
        const krm::ObjectKey key = krm::object_key(event.object);
        EXPECT_EQ(event.version, ++seen);
        EXPECT_EQ(followed[key], event.previous);
        followed[key] = event.change == Change::kDeleted ? json::Value() : event.object;
      }
      std::vector<json::Value> alive;
      for (const auto& [key, object] : followed)
        if (!object.is_null()) alive.push_back(object);
      ASSERT_EQ(RandomWrites::everything(*store), alive);
      expect_owners_right(*store);
      if (step % 25 == 0) expect_indexes_right(*store);
    }
    expect_indexes_right(*store);
  }
}

}  // namespace
}  // namespace portico::store
