#include "controllers/plan_json.h"

#include <gtest/gtest.h>

#include "json/text.h"

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

TEST(PlanJson, HasOfASetItsActionsAndFailures) {
  auto variant = std::make_shared<api::PackageVariant>();
  variant->metadata.name = "fleet-edge-web";
  PlannedSet set;
  set.key.name = "fleet";
  set.desired = 2;
  set.actions = {{variants::Verb::kCreate, {"edge", "web"}, variant, "a target gives it"}};
  set.failures = {
      {1, variants::VariantKey{"lab", "web"}, "lab", "web", invalid("no key").in("repoExpr")}};
  set.hold =
      variants::Hold{variants::Hold::Why::kTooMany,
                     "too many",
                     {{variants::Verb::kDelete, {"edge", "web"}, variant, "no target gives it"}}};
  EXPECT_EQ(json::print_pretty(to_json({{set}, {}})["sets"]), R"([
    {
        "actions": [
            {
                "name": "fleet-edge-web",
                "package": "web",
                "reason": "a target gives it",
                "repo": "edge",
                "verb": "create"
            }
        ],
        "failures": [
            "repoExpr: no key"
        ],
        "held": [
            {
                "name": "fleet-edge-web",
                "package": "web",
                "reason": "no target gives it",
                "repo": "edge",
                "verb": "delete"
            }
        ],
        "heldBecause": "too many",
        "name": "fleet",
        "noMatch": null,
        "stalled": null,
        "targets": 2
    }
])");
  set.stall = variants::Stall{"UpstreamNotFound", "no revision 7"};
  EXPECT_EQ(to_json({{set}, {}})["sets"].items()[0]["stalled"], json::Value("no revision 7"));
}

TEST(PlanJson, HasOfAVariantWhatItsStepHas) {
  PlannedVariant draft = planned("a", variants::Clone{revision("up.web.v1"), "packagevariant-1"});
  draft.workspace = "packagevariant-1";
  draft.built.emplace();
  draft.built->content.files["a.yaml"] = krm::File("a: 1\n");
  PlannedVariant broken = planned("b", variants::Clone{revision("up.web.v1"), "packagevariant-1"});
  broken.workspace = "packagevariant-1";
  broken.error = invalid("no function").in("set-labels");
  const PlannedVariant gone = planned(
      "c", variants::LetGo{{{revision("edge.web.v1"), variants::Farewell::kProposeDeletion}}});
  const json::Value all = to_json({{}, {draft, broken, gone}})["variants"];
  const auto json = all.items();
  EXPECT_EQ(json[0].without("diff").without("reason").without("repo").without("package"),
            *json::parse(R"({"name": "a", "step": "Clone", "workspace": "packagevariant-1",
                             "conflicts": 0})"));
  EXPECT_NE(json[0]["diff"].as_string().find("+a: 1\n"), std::string_view::npos);
  EXPECT_EQ(json[1]["error"], json::Value("set-labels: no function"));
  EXPECT_FALSE(json[1].contains("diff"));
  EXPECT_EQ(json[2], *json::parse(R"({"name": "c", "repo": "edge", "package": "web",
                                      "step": "LetGo", "reason": "because",
                                      "revisions": ["propose deletion of edge.web.v1"]})"));
}

}  // namespace
}  // namespace portico::controllers
