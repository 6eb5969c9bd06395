#include "controllers/plan_json.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "api/kinds.h"
#include "controllers/plan_wire.h"
#include "json/text.h"
#include "testing/cases.h"

namespace portico::controllers {
namespace {

PlannedVariant planned(std::string name, variants::Step step) {
  PlannedVariant out;
  out.key.name = std::move(name);
  out.downstream = {"edge", "web"};
  out.decision = {std::move(step), "because"};
  return out;
}

variants::Revision revision(std::string name) {
  auto object = std::make_shared<api::PackageRevision>();
  object->metadata.name = std::move(name);
  return {object, "", ""};
}

Plan plan_of(std::vector<PlannedSet> sets, std::vector<PlannedVariant> variants) {
  Plan out;
  out.sets = std::move(sets);
  out.variants = std::move(variants);
  return out;
}

// The plan as JSON; checks that it is the same after encoding and decoding.
json::Value told(const Plan& plan) {
  json::Value out = to_json(plan);
  const auto sent = json::parse(json::print(to_wire(plan)));
  const auto come = plan_from_wire(*sent);
  EXPECT_TRUE(come.ok());
  if (come) {
    EXPECT_EQ(to_json(*come), out);
  }
  return out;
}

TEST(PlanJson, HasOfASetItsActionsAndFailures) {
  auto variant = std::make_shared<api::PackageVariant>();
  variant->metadata.name = "fleet-edge-web";
  PlannedSet set;
  set.key.name = "fleet";
  set.key.ns = "default";
  set.desired = 2;
  set.actions = {{variants::Verb::kCreate, {"edge", "web"}, variant, "a target gives it"}};
  set.failures = {
      {1, variants::VariantKey{"lab", "web"}, "lab", "web", invalid("no key").in("repoExpr")}};
  set.failed_actions = {{variants::VariantKey{"lab", "web"}, conflict("it is there")}};
  set.hold =
      variants::Hold{variants::Hold::Why::kTooMany,
                     "too many",
                     {{variants::Verb::kDelete, {"edge", "web"}, variant, "no target gives it"}}};
  EXPECT_EQ(told(plan_of({set}, {}))["sets"], *json::parse(R"([{
    "namespace": "default", "name": "fleet", "targets": 2,
    "actions": [{"name": "fleet-edge-web", "package": "web", "reason": "a target gives it",
                 "repo": "edge", "verb": "create"}],
    "failures": ["repoExpr: no key", "it is there"],
    "held": {"reason": "DeletionGuard", "message": "too many",
             "actions": [{"name": "fleet-edge-web", "package": "web", "repo": "edge",
                          "reason": "no target gives it", "verb": "delete"}]}}])"));
  set.stall = variants::Stall{"UpstreamNotFound", "no revision 7"};
  EXPECT_EQ(told(plan_of({set}, {}))["sets"].items()[0]["stalled"],
            *json::parse(R"({"reason": "UpstreamNotFound", "message": "no revision 7"})"));
}

TEST(PlanJson, HasOfAVariantWhatItsStepHas) {
  PlannedVariant draft = planned("a", variants::Clone{revision("up.web.v1"), "packagevariant-1"});
  draft.workspace = "packagevariant-1";
  draft.revision = "edge.web.packagevariant-1";
  draft.built.emplace();
  draft.built->content.files["a.yaml"] = krm::File("a: 1\n");
  merge::Conflict both;
  both.file = "a.yaml";
  both.field = "a";
  both.ours = json::Value(2);
  both.rule = "both changed it";
  draft.built->conflicts = {both};
  PlannedVariant broken = planned("b", variants::Clone{revision("up.web.v1"), "packagevariant-1"});
  broken.error = invalid("no function").in("set-labels");
  const PlannedVariant gone =
      planned("c", variants::LetGo{{{revision("edge.web.v1"), variants::Farewell::kProposeDeletion},
                                    {revision("edge.web.v2"), variants::Farewell::kDelete},
                                    {revision("edge.web.v3"), variants::Farewell::kRelease}}});
  const json::Value all = told(plan_of({}, {draft, broken, gone}));
  const auto json = all["variants"].items();
  EXPECT_EQ(json[0].without("diff").without("reason").without("repo").without("package"),
            *json::parse(R"({"namespace": "", "name": "a", "step": "Clone",
                             "workspace": "packagevariant-1",
                             "revision": "edge.web.packagevariant-1",
                             "conflicts": [{"path": "a.yaml", "object": "", "field": "a",
                                            "base": "", "ours": "2", "theirs": "",
                                            "taken": "theirs", "rule": "both changed it"}]})"));
  EXPECT_NE(json[0]["diff"].as_string().find("+a: 1\n"), std::string_view::npos);
  EXPECT_EQ(json[1]["error"], json::Value("set-labels: no function"));
  EXPECT_FALSE(json[1].contains("diff"));
  EXPECT_EQ(json[2], *json::parse(R"({"namespace": "", "name": "c", "repo": "edge",
                                      "package": "web", "step": "LetGo", "reason": "because",
                                      "revisions": [
                                        {"name": "edge.web.v1", "fate": "proposeDeletion"},
                                        {"name": "edge.web.v2", "fate": "remove"},
                                        {"name": "edge.web.v3", "fate": "orphan"}]})"));
  EXPECT_EQ(all["changes"], json::Value(true));
}

TEST(PlanWire, KnowsEveryStepAndRefusesOthers) {
  json::Value sent = to_wire(plan_of({}, {planned("a", variants::Keep{})}));
  const json::Value one = sent["variants"].items()[0].with("step", "Juggle");
  EXPECT_FALSE(plan_from_wire(sent.with("variants", json::Value::array({one}))).ok());
}

TEST(PlanJson, TellsWhatFailsAndWhatFailedBefore) {
  Plan plan = plan_of({}, {planned("a", variants::Stall{"UpstreamNotFound", "none"})});
  const krm::ObjectKey key{api::variant_kind(), "default", "a"};
  plan.errors = {{key, "Stalled: none", true, false}};
  json::Value all = told(plan);
  EXPECT_EQ(all["errors"], *json::parse(R"([{"kind": "PackageVariant", "namespace": "default",
                                             "name": "a", "message": "Stalled: none",
                                             "before": true, "asked": false}])"));
  EXPECT_EQ(all["failed"], json::Value(false)) << "it is as it was";
  EXPECT_EQ(all["changes"], json::Value(false));
  plan.errors[0].asked = true;
  EXPECT_TRUE(plan.failed());
  plan.errors = {{key, "Stalled: none", false, false}};
  EXPECT_TRUE(plan.failed());
}

template <std::size_t... I>
std::vector<std::string> all_steps(std::index_sequence<I...>) {
  return {variants::name(variants::Step(std::in_place_index<I>))...};
}

// The schema that users write programs against.
TEST(PlanJson, HasASchemaThatKnowsEveryStep) {
  const json::Value schema = *json::parse(
      portico::testing::read_file(portico::testing::source_dir() / "docs/guide/plan.schema.json"));
  std::set<std::string> known;
  for (const json::Value& each :
       schema["properties"]["variants"]["items"]["properties"]["step"]["enum"].items())
    known.emplace(each.as_string());
  for (const std::string& step :
       all_steps(std::make_index_sequence<std::variant_size_v<variants::Step>>())) {
    EXPECT_TRUE(known.contains(step)) << step;
    const json::Value sent = to_wire(plan_of({}, {planned("a", variants::Keep{})}));
    const json::Value renamed =
        sent.with("variants", json::Value::array({sent["variants"].items()[0].with("step", step)}));
    const auto come = plan_from_wire(renamed);
    ASSERT_TRUE(come.ok()) << step;
    EXPECT_EQ(variants::name(come->variants[0].decision.step), step);
  }
}

}  // namespace
}  // namespace portico::controllers
