#include "variants/work_left.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "api/kinds.h"
#include "testing/cases.h"
#include "variants/tests/worlds.h"
#include "variants/upstream.h"

namespace portico::variants {
namespace {

/// Sections: variant (spec, metadata and status; upstream is up/foo, downstream is down/bar),
/// upstreams, downstreams. In the status, `inputsHash: current` and `upstream: current` stand for
/// the values of the current inputs.
VariantSnapshot snapshot_from(const portico::testing::Case& one) {
  VariantSnapshot snapshot;
  snapshot.upstreams = revisions_from(from_yaml(one["upstreams"]), "up", "foo");
  snapshot.downstreams = revisions_from(from_yaml(one["downstreams"]), "down", "bar");
  snapshot.downstream_repository = !one.has("no repository");
  snapshot.downstream_read = !one.has("repository not read");
  json::Value object = from_yaml(one["variant"]);
  const bool current = object["status"]["upstream"].as_string() == "current";
  if (current) object = object.with("status", object["status"].without("upstream"));
  auto variant = std::make_shared<api::PackageVariant>(*api::decode<api::PackageVariant>(object));
  variant->metadata.uid = "pv-uid";
  variant->metadata.ns = "default";
  variant->metadata.name = "pv";
  if (!one.has("no finalizer"))
    variant->metadata.finalizers = {std::string(api::kVariantFinalizer)};
  if (!variant->spec.upstream) variant->spec.upstream.emplace();
  variant->spec.upstream->repo = "up";
  variant->spec.upstream->package = "foo";
  variant->spec.downstream = {"down", "bar"};
  const auto upstream = resolve_upstream(*variant->spec.upstream, snapshot.upstreams);
  if (current && upstream)
    variant->status.upstream = {upstream->name(), upstream->spec().revision,
                                upstream->object->status.self_lock->git->commit};
  for (api::DownstreamTarget& each : variant->status.downstream_targets)
    if (each.inputs_hash == "current") each.inputs_hash = inputs_hash(*variant, *upstream, {});
  snapshot.variant = std::move(variant);
  return snapshot;
}

class LeftOfAVariant : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(LeftOfAVariant, MatchesItsFile) {
  const VariantSnapshot snapshot = snapshot_from(GetParam());
  GetParam().expect("want", std::string(name(work_left(snapshot))) + ", as it is decided to " +
                                name(decide(snapshot).step) + "\n");
}
INSTANTIATE_TEST_SUITE_P(
    Data, LeftOfAVariant,
    ::testing::ValuesIn(portico::testing::cases("variants/tests/data/outstanding")),
    portico::testing::case_name);

/// Once a controller has written its result, nothing is left to do, whatever the set looks like.
class LeftOfASet : public ::testing::TestWithParam<portico::testing::Case> {};

SetSnapshot set_from(const portico::testing::Case& one) {
  SetSnapshot snapshot;
  auto set = std::make_shared<api::PackageVariantSet>(
      *api::decode<api::PackageVariantSet>(from_yaml(one["set"])));
  set->metadata.ns = "default";
  set->metadata.uid = "set-uid";
  snapshot.upstreams = revisions_from(from_yaml("[{revision: 1, commit: c1}]"), "up", "foo");
  const json::Value repositories = from_yaml(one["repositories"]);
  for (const json::Value& each : repositories.items())
    snapshot.repositories.push_back(json::Value::object(
        {{"apiVersion", "v1"},
         {"kind", "Repository"},
         {"metadata", json::Value::object({{"name", each}, {"namespace", "default"}})}}));
  const json::Value variants = from_yaml(one["variants"]);
  for (const json::Value& each : variants.items())
    snapshot.variants.push_back(
        std::make_shared<const api::PackageVariant>(*api::decode<api::PackageVariant>(each)));
  snapshot.set = std::move(set);
  return snapshot;
}

SetDecision decision_on(const SetSnapshot& snapshot) {
  const auto language = ExpressionLanguage::make();
  return decide_set(snapshot, compile_set(*language, snapshot.set->spec));
}

/// The snapshot after `decision` was carried out and its status written.
SetSnapshot after(SetSnapshot snapshot, const SetDecision& decision) {
  for (const SetAction& action : decision.actions)
    if (action.verb == Verb::kCreate) snapshot.variants.push_back(action.object);
  const SetDecision now = decision_on(snapshot);
  auto set = std::make_shared<api::PackageVariantSet>(*snapshot.set);
  set->status = set_status(snapshot, now, {}, TimePoint{});
  snapshot.set = std::move(set);
  return snapshot;
}

TEST_P(LeftOfASet, MatchesItsFile) {
  SetSnapshot snapshot = set_from(GetParam());
  const SetDecision decision = decision_on(snapshot);
  GetParam().expect("want", std::string(name(work_left(snapshot, decision))) + "\n");
  if (!decision.actions.empty() && decision.actions.front().verb != Verb::kCreate) return;
  const SetSnapshot written = after(snapshot, decision);
  EXPECT_EQ(name(work_left(written, decision_on(written))), std::string("nothing"));
}
INSTANTIATE_TEST_SUITE_P(
    Data, LeftOfASet,
    ::testing::ValuesIn(portico::testing::cases("variants/tests/data/outstanding_set")),
    portico::testing::case_name);

}  // namespace
}  // namespace portico::variants
