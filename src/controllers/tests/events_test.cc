#include "controllers/events.h"

#include <gtest/gtest.h>

#include "controllers/repository.h"
#include "controllers/repository_health.h"
#include "controllers/variant.h"
#include "drafts/tests/fleet.h"

namespace portico::controllers {
namespace {

using drafts::must;
using json::Value;

Value stored_variant(drafts::Fleet& fleet) {
  return fleet.store_new(
      drafts::objects_from("{apiVersion: config.porch.kpt.dev/v1alpha1, kind: PackageVariant, "
                           "metadata: {name: pv, namespace: default}}")
          .front());
}

void record(drafts::Fleet& fleet, const Value& object, const EventInfo& event_info,
            bool expire = false) {
  const TimePoint now = fleet.clock.now();
  must(write_recorded(*fleet.registry,
                      must(recording(*fleet.registry, object, event_info, now, expire)), now));
  fleet.clock.move(std::chrono::minutes(1));
}

class Recording : public ::testing::TestWithParam<bool> {};

TEST_P(Recording, CountsWhatRepeats) {
  drafts::Fleet fleet;
  const Value variant = stored_variant(fleet);
  record(fleet, variant, {true, "CloneFailed", "render: broken"}, GetParam());
  record(fleet, variant, {false, "Clone", "there is none"}, GetParam());
  record(fleet, variant, {true, "CloneFailed", "render: broken"}, GetParam());
  const auto events = must(events_of(*fleet.registry, variant));
  ASSERT_EQ(events.size(), 2u);
  const Value& last = events.back();
  EXPECT_EQ(last["reason"].as_string(), "CloneFailed");
  EXPECT_EQ(last["type"].as_string(), "Warning");
  EXPECT_EQ(last["count"].as_int(), 2);
  EXPECT_EQ(last["firstTimestamp"].as_string(), "2023-11-14T22:13:20Z");
  EXPECT_EQ(last["lastTimestamp"].as_string(), "2023-11-14T22:15:20Z");
  EXPECT_EQ(last["involvedObject"]["uid"], variant["metadata"]["uid"]);
}

INSTANTIATE_TEST_SUITE_P(ThatExpiresOrNot, Recording, ::testing::Bool());

TEST(Events, ThatExpireAreNotRead) {
  drafts::Fleet fleet;
  const Value variant = stored_variant(fleet);
  for (std::size_t i = 0; i < kMostEvents + 2; ++i)
    record(fleet, variant, {false, "Approve", std::to_string(i)}, true);
  EXPECT_EQ(must(events_of(*fleet.registry, variant)).size(), kMostEvents + 2);
}

TEST(Events, OfWhatIsGoneAreLeftOut) {
  drafts::Fleet fleet;
  const Value variant = stored_variant(fleet);
  must(fleet.registry->commit(
      {{registry::Verb::kDelete, variant.without_at({"metadata", "resourceVersion"})}}));
  EXPECT_TRUE(
      write_recorded(*fleet.registry,
                     {{registry::Verb::kUpdateStatus, variant.with("status", Value::object())}},
                     fleet.clock.now())
          .ok());
}

TEST(Events, TellNoSecrets) {
  drafts::Fleet fleet;
  const Value variant = stored_variant(fleet);
  record(fleet, variant, {true, "CloneFailed", "https://ann:s3cret@git.example.com/x: refused"});
  EXPECT_EQ(must(events_of(*fleet.registry, variant)).front()["message"].as_string().find("s3cret"),
            std::string_view::npos);
}

TEST(Events, AreCutToWhatAnApiServerTakes) {
  drafts::Fleet fleet;
  const Value variant = stored_variant(fleet);
  record(fleet, variant, {true, "CloneFailed", "render: " + std::string(100'000, 'x')});
  const Value event = must(events_of(*fleet.registry, variant)).front();
  const std::string_view message = event["message"].as_string();
  EXPECT_LE(message.size(), 1024u);
  EXPECT_TRUE(message.starts_with("render: x")) << message;
}

TEST(Events, AreBoundedAndGoWithTheirObject) {
  drafts::Fleet fleet;
  const Value variant = stored_variant(fleet);
  for (std::size_t i = 0; i < kMostEvents + 10; ++i)
    record(fleet, variant, {false, "Approve", std::to_string(i)});
  const auto events = must(events_of(*fleet.registry, variant));
  ASSERT_EQ(events.size(), kMostEvents);
  EXPECT_EQ(events.front()["message"].as_string(), "10");
  EXPECT_EQ(events.back()["message"].as_string(), std::to_string(kMostEvents + 9));
  must(fleet.registry->commit(
      {{registry::Verb::kDelete, variant.without_at({"metadata", "resourceVersion"})}}));
  EXPECT_EQ(fleet.all({"", "Event"}).size(), 0u);
}

TEST(Waits, AreWhenToLookNext) {
  drafts::Fleet fleet;
  RepositoryHealth repository_health;
  const World world{.registry = *fleet.registry,
                    .packages = *fleet.packages,
                    .drafts = *fleet.drafts,
                    .repository_health = repository_health,
                    .clock = fleet.clock};
  const auto key = [](std::string_view kind, const char* name) {
    return krm::ObjectKey{
        {std::string(api::kConfigGroup), std::string(kind)}, drafts::Fleet::kNs, name};
  };
  for (const char* name : {"up", "edge"}) {
    fleet.make_git(name);
    if (std::string_view(name) == "up")
      fleet.commit(
          name, "main",
          {{"web/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n"}});
    fleet.store_new(fleet.repository_object(name, name));
    must(sync_repository(key(api::kRepositoryKind, name), world));
  }
  fleet.store_new(drafts::objects_from(R"(
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: pv, namespace: default}
spec:
  upstream: {repo: up, package: web, workspaceName: main}
  downstream: {repo: edge, package: web}
  approval: {propose: {policy: always, after: 10m}, approve: {policy: always, after: 1h}}
)")
                      .front());
  Caches caches;
  const auto look = [&] {
    return must(reconcile_variant(key(api::kVariantKind, "pv"), world, caches)).after;
  };
  using std::chrono::minutes;
  EXPECT_EQ(look(), minutes(10));  // drafted
  fleet.clock.move(minutes(4));
  EXPECT_EQ(look(), minutes(6));
  fleet.clock.move(minutes(6));
  EXPECT_EQ(look(), minutes(60));  // proposed
  fleet.clock.move(minutes(60));
  EXPECT_EQ(look(), std::nullopt);  // published
}

}  // namespace
}  // namespace portico::controllers
