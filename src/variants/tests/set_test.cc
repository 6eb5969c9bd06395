#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include "api/kinds.h"
#include "json/text.h"
#include "krm/meta.h"
#include "testing/cases.h"
#include "variants/set_decide.h"
#include "variants/set_status.h"
#include "variants/tests/worlds.h"

namespace portico::variants {
namespace {

const ExpressionLanguage language = *ExpressionLanguage::make();

json::Value object_from(const json::Value& value, std::string_view kind) {
  json::Value metadata = value;
  if (!metadata.contains("namespace")) metadata = metadata.with("namespace", "default");
  return json::Value::object({{"apiVersion", "v1"}, {"kind", kind}, {"metadata", metadata}});
}

std::vector<json::Value> named_repositories(const json::Value& set,
                                            const portico::testing::Case& one) {
  std::set<std::string> names;
  for (const json::Value& target : set["spec"]["targets"].items())
    for (const json::Value& each : target["repositories"].items())
      names.emplace(each["name"].as_string());
  const json::Value variants = from_yaml(one["variants"]);
  for (const json::Value& each : variants.items()) names.emplace(each["repo"].as_string());
  std::vector<json::Value> out;
  for (const std::string& name : names)
    out.push_back(object_from(json::Value::object({{"name", name}}), "Repository"));
  return out;
}

/// Sections: set (its spec), repositories and objects (their metadata), upstreams, variants ({name,
/// repo, package, ready, reason, message, targets, deleting}). Without a repositories section,
/// those that lists and variants name exist.
SetSnapshot snapshot_from(const portico::testing::Case& one) {
  SetSnapshot snapshot;
  json::Value object = from_yaml(one["set"]);
  auto set = std::make_shared<api::PackageVariantSet>(*api::decode<api::PackageVariantSet>(object));
  if (set->metadata.name.empty()) set->metadata.name = "set";
  set->metadata.ns = "default";
  set->metadata.uid = "set-uid";
  set->metadata.generation = 7;
  snapshot.upstreams = revisions_from(from_yaml(one["upstreams"]), "up", "foo");
  if (!one.has("upstreams"))
    snapshot.upstreams = revisions_from(from_yaml("[{revision: 1, commit: c1}]"), "up", "foo");
  const json::Value repositories = from_yaml(one["repositories"]);
  for (const json::Value& each : repositories.items())
    snapshot.repositories.push_back(object_from(each, "Repository"));
  if (!one.has("repositories")) snapshot.repositories = named_repositories(object, one);
  const json::Value objects = from_yaml(one["objects"]);
  for (const json::Value& each : objects.items())
    snapshot.objects[{"example.com/v1", "Team"}].push_back(object_from(each, "Team"));
  const json::Value variants = from_yaml(one["variants"]);
  for (const json::Value& each : variants.items()) {
    auto variant = std::make_shared<api::PackageVariant>();
    variant->metadata.name = text_of(each, "name", "");
    variant->metadata.ns = "default";
    if (each.contains("deleting")) variant->metadata.deletion_timestamp = "2026-01-01T00:00:00Z";
    variant->spec.upstream = set->spec.upstream;
    variant->spec.downstream = {text_of(each, "repo", ""), text_of(each, "package", "foo")};
    variant->spec.labels = krm::string_map(each["labels"]);
    if (each.contains("ready"))
      variant->status.conditions = {{"Ready", text_of(each, "ready", ""), 0, "",
                                     text_of(each, "reason", ""), text_of(each, "message", "")}};
    if (each.contains("targets")) variant->status.downstream_targets.emplace_back();
    snapshot.variants.push_back(std::move(variant));
  }
  snapshot.set = std::move(set);
  return snapshot;
}

std::string one_line(const api::PackageVariantSpec& spec) {
  json::Value value = api::encode(spec).without("upstream").without("downstream");
  return value.empty() ? "" : " " + json::print(value);
}

std::string shown(const SetDecision& decision) {
  std::string out;
  if (decision.stall)
    out += "stall " + decision.stall->reason + ": " + decision.stall->message + "\n";
  for (const SetAction& action : decision.actions) {
    out += std::string(name(action.verb)) + " " + action.object->metadata.name + " (" +
           action.key.text() + ")";
    if (action.verb != Verb::kDelete) out += one_line(action.object->spec);
    out += "\n  because " + action.reason + "\n";
  }
  if (decision.hold) {
    for (const SetAction& action : decision.hold->deletions)
      out += "hold " + action.object->metadata.name + " (" + action.key.text() + ")\n";
    out += "  for " + std::string(name(decision.hold->why)) + "\n";
  }
  for (const FailedTarget& failure : decision.failures)
    out += "fail " + failure.error.text() + "\n";
  return out;
}

/// Applies the actions to the snapshot.
void carry_out(SetSnapshot& snapshot, const SetDecision& decision) {
  for (const SetAction& action : decision.actions) {
    const auto at = std::find_if(
        snapshot.variants.begin(), snapshot.variants.end(),
        [&](const auto& one) { return one->metadata.name == action.object->metadata.name; });
    if (action.verb == Verb::kCreate) {
      snapshot.variants.push_back(action.object);
    } else if (action.verb == Verb::kUpdate) {
      *at = action.object;
    } else {
      snapshot.variants.erase(at);
    }
  }
}

/// Section actions-fail: the names of the variants whose actions fail.
std::vector<FailedAction> failed_actions(const portico::testing::Case& one,
                                         const SetDecision& decision) {
  const json::Value names = from_yaml(one["actions-fail"]);
  std::vector<FailedAction> out;
  for (const SetAction& action : decision.actions)
    for (const json::Value& name : names.items())
      if (name.as_string() == action.object->metadata.name)
        out.push_back({action.key, unavailable("no answer")});
  return out;
}

/// Section left: how many of the actions are still to be written.
api::PackageVariantSetStatus status_of(const portico::testing::Case& one,
                                       const SetSnapshot& snapshot, const SetDecision& decision) {
  const auto failed = failed_actions(one, decision);
  const TimePoint now{std::chrono::seconds(0)};
  if (one["left"].empty()) return set_status(snapshot, decision, failed, now);
  const std::span<const SetAction> actions = decision.actions;
  return set_progress(snapshot, decision, failed, actions.last(std::stoul(one["left"])), now);
}

class Sets : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Sets, MatchTheirFile) {
  SetSnapshot snapshot = snapshot_from(GetParam());
  const auto compiled = compile_set(language, snapshot.set->spec);
  const SetDecision decision = decide_set(snapshot, compiled);
  const auto status = status_of(GetParam(), snapshot, decision);
  std::string text = shown(decision);
  for (const api::Condition& one : status.conditions)
    text += one.type + "=" + one.status + " " + one.reason + ": " + one.message + "\n";
  if (status.targets)
    text += "desired " + std::to_string(status.targets->desired) + ", ready " +
            std::to_string(status.targets->ready) + ", waiting " +
            std::to_string(status.targets->waiting) + ", failed " +
            std::to_string(status.targets->failed) + "\n";
  GetParam().expect("want", text);

  carry_out(snapshot, decision);
  EXPECT_EQ(shown(decide_set(snapshot, compiled)).find("\n  because"), std::string::npos)
      << "once carried out, done";
}

INSTANTIATE_TEST_SUITE_P(Data, Sets,
                         ::testing::ValuesIn(portico::testing::cases("variants/tests/data/set")),
                         portico::testing::case_name);

// ---- any set, any variants

SetSnapshot any_sets_world() {
  const auto number = [](int from, int to) { return *rc::gen::inRange(from, to); };
  const auto repo = [&] { return *rc::gen::element<std::string>("a", "a-b", "b", "c", "x"); };
  const auto package = [&] { return *rc::gen::element<std::string>("foo", "b-c", "c", "d/e"); };
  SetSnapshot snapshot;
  api::PackageVariantSet set;
  set.metadata.name = "s";
  set.metadata.ns = "default";
  set.metadata.uid = "set-uid";
  set.spec.upstream.emplace();
  set.spec.upstream->repo = "up";
  set.spec.upstream->package = "foo";
  set.spec.upstream->revision = 1;
  snapshot.upstreams = revisions_from(from_yaml("[{revision: 1, commit: c1}]"), "up", "foo");
  for (const char* name : {"a", "a-b", "b", "c"}) {
    json::Value metadata = json::Value::object({{"name", name}});
    if (number(0, 2) == 0)
      metadata = metadata.with("labels", json::Value::object({{"env", "prod"}}));
    snapshot.repositories.push_back(object_from(metadata, "Repository"));
  }
  set.spec.targets.emplace();
  for (int i = number(1, 4); i > 0; --i) {
    api::Target target;
    if (*rc::gen::arbitrary<bool>()) {
      target.repositories.emplace().push_back({repo(), {package()}});
    } else {
      target.repository_selector.emplace().labels.match_labels = {{"env", "prod"}};
      target.repository_selector->package_names = {package()};
    }
    if (number(0, 3) == 0) {
      api::VariantTemplate& tmpl = target.tmpl.emplace();
      if (*rc::gen::arbitrary<bool>()) {
        tmpl.downstream.emplace().package_expr = "packageDefault + '-1'";
      } else {
        tmpl.downstream.emplace().repo_expr = "target.labels['env']";  // fails for lists
      }
    }
    set.spec.targets->push_back(std::move(target));
  }
  const int count = number(0, 6);
  for (int i = 0; i < count; ++i) {
    auto variant = std::make_shared<api::PackageVariant>();
    variant->metadata.name = "v" + std::to_string(i);
    variant->spec.upstream = set.spec.upstream;
    if (*rc::gen::arbitrary<bool>()) variant->spec.upstream->revision = 9;
    variant->spec.downstream = {repo(), package()};
    snapshot.variants.push_back(std::move(variant));
  }
  snapshot.set = std::make_shared<const api::PackageVariantSet>(std::move(set));
  return snapshot;
}

RC_GTEST_PROP(SetPlans, AreEmptyOnceCarriedOut, ()) {
  SetSnapshot snapshot = any_sets_world();
  const auto compiled = compile_set(language, snapshot.set->spec);
  RC_ASSERT(compiled.ok());
  const SetDecision decision = decide_set(snapshot, compiled);
  carry_out(snapshot, decision);
  RC_ASSERT(decide_set(snapshot, compiled).actions.empty());
  // No two variants have the same name or pair.
  std::set<std::string> names;
  for (const auto& variant : snapshot.variants)
    RC_ASSERT(names.insert(variant->metadata.name).second);
  for (const SetAction& action : decision.actions)
    if (action.verb == Verb::kCreate)
      RC_ASSERT(krm::is_dns1123_subdomain(action.object->metadata.name));
}

/// Adds what a decision asked for by name, as a reader of a larger namespace does.
void add_asked(SetSnapshot& snapshot, const Asked& asks, const SetSnapshot& all) {
  for (const std::string& name : asks.repositories) {
    RC_ASSERT(snapshot.asked.repositories.insert(name).second);
    for (const json::Value& one : all.repositories)
      if (krm::name_of(one) == name) snapshot.repositories.push_back(one);
  }
  std::sort(snapshot.repositories.begin(), snapshot.repositories.end(),
            [](const auto& a, const auto& b) { return krm::name_of(a) < krm::name_of(b); });
  for (const std::string& name : asks.variants) {
    RC_ASSERT(snapshot.asked.variants.insert(name).second);
    if (all.foreign_names.contains(name)) snapshot.foreign_names.insert(name);
  }
}

RC_GTEST_PROP(SetPlans, AreTheSameWithWhatTheyAskFor, ()) {
  SetSnapshot all = any_sets_world();
  for (const char* name : {"s-a-foo", "s-a-b-c", "s-b-b-c", "s-c-foo", "s-d-foo"})
    if (*rc::gen::arbitrary<bool>()) all.foreign_names.insert(name);
  const auto compiled = compile_set(language, all.set->spec);
  SetSnapshot some = all;
  some.foreign_names.clear();
  std::erase_if(some.repositories,
                [](const json::Value& one) { return krm::label_of(one, "env") != "prod"; });
  SetDecision decision = decide_set(some, compiled);
  while (!decision.asks.empty()) {
    add_asked(some, decision.asks, all);
    decision = decide_set(some, compiled);
  }
  RC_ASSERT(shown(decision) == shown(decide_set(all, compiled)));
}

RC_GTEST_PROP(SetPlans, LeaveTheVariantsOfFailingTargetsAlone, ()) {
  SetSnapshot snapshot = any_sets_world();
  const auto compiled = compile_set(language, snapshot.set->spec);
  const SetDecision decision = decide_set(snapshot, compiled);
  for (const FailedTarget& failure : decision.failures)
    for (const SetAction& action : decision.actions) {
      if (action.verb != Verb::kDelete) continue;
      // A variant with a twin for the same pair may be deleted; the other one is not touched.
      const auto twins =
          std::count_if(snapshot.variants.begin(), snapshot.variants.end(), [&](const auto& one) {
            return one->spec.downstream->repo == action.key.repo &&
                   one->spec.downstream->package == action.key.package;
          });
      RC_ASSERT(twins > 1 || (failure.key && *failure.key != action.key));
    }
}

}  // namespace
}  // namespace portico::variants
