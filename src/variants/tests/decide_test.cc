#include "variants/decide.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <string>

#include "api/kinds.h"
#include "testing/cases.h"
#include "variants/naming.h"
#include "variants/tests/worlds.h"
#include "variants/upstream.h"
#include "variants/variant_status.h"

namespace portico::variants {
namespace {

constexpr const char* kVariantUid = "pv-uid";

/// Upstream is up/foo, downstream is down/bar. A downstream with `hash: current` was built from the
/// current inputs, one with another hash from other inputs. `pin: upstream` pins it to the current
/// upstream, `pin: inputs` to all current inputs, `pin: over` to another upstream; `since` is when
/// it entered its lifecycle. `rivals`: {name, created, deleted, adoptionPolicy}.
VariantSnapshot snapshot_from(const portico::testing::Case& one) {
  VariantSnapshot snapshot;
  json::Value object = from_yaml(one["variant"]);
  auto variant = std::make_shared<api::PackageVariant>(*api::decode<api::PackageVariant>(object));
  variant->metadata.uid = kVariantUid;
  variant->metadata.ns = "default";
  if (variant->metadata.name.empty()) variant->metadata.name = "pv";
  if (!variant->spec.upstream) variant->spec.upstream.emplace();
  variant->spec.upstream->repo = "up";
  variant->spec.upstream->package = "foo";
  variant->spec.downstream = {"down", "bar"};
  snapshot.upstreams = revisions_from(from_yaml(one["upstreams"]), "up", "foo");
  const json::Value downstreams = from_yaml(one["downstreams"]);
  snapshot.downstreams = revisions_from(downstreams, "down", "bar");
  snapshot.downstream_repository = !one.has("no repository");
  snapshot.downstream_read = !one.has("repository not read");
  snapshot.downstream_suspended = one.has("repository suspended");
  const json::Value injected = from_yaml(one["injected"]);
  for (const json::Value& each : injected.items())
    snapshot.injected.push_back(
        {"v1", "ConfigMap", text_of(each, "name", ""), "uid", text_of(each, "content", "")});

  const json::Value rivals = from_yaml(one["rivals"]);
  for (const json::Value& each : rivals.items()) {
    api::PackageVariant rival;
    rival.metadata.ns = "default";
    rival.metadata.name = text_of(each, "name", "");
    rival.metadata.creation_timestamp = text_of(each, "created", "");
    rival.metadata.deletion_timestamp = text_of(each, "deleted", "");
    rival.spec.adoption_policy = text_of(each, "adoptionPolicy", "");
    snapshot.rivals.push_back(std::make_shared<const api::PackageVariant>(std::move(rival)));
  }

  if (one.has("now")) snapshot.now = *parse_rfc3339(one["now"].substr(0, one["now"].find('\n')));
  if (one.has("conflict")) variant->status.merge_conflicts.emplace_back();

  const auto upstream = resolve_upstream(*variant->spec.upstream, snapshot.upstreams);
  for (std::size_t i = 0; i < snapshot.downstreams.size(); ++i) {
    Revision& revision = snapshot.downstreams[i];
    if (const std::string pin = text_of(downstreams[i], "pin", ""); !pin.empty()) {
      auto pinned = std::make_shared<api::PackageRevision>(*revision.object);
      pinned->status.pin = {pin == "over" ? "another" : upstream_hash(*upstream), "", "v1"};
      if (pin == "inputs")
        pinned->status.pin->inputs = inputs_hash(*variant, *upstream, snapshot.injected);
      revision.object = std::move(pinned);
    }
    std::string hash = text_of(downstreams[i], "hash", "");
    const std::string since = text_of(downstreams[i], "since", "");
    if (hash.empty() && since.empty()) continue;
    if (hash == "current" && upstream) hash = inputs_hash(*variant, *upstream, snapshot.injected);
    variant->status.downstream_targets.push_back({revision.name(),
                                                  {},
                                                  revision.spec().lifecycle,
                                                  0,
                                                  hash,
                                                  since,
                                                  since.empty() ? "" : revision.tree});
  }
  snapshot.variant = std::move(variant);
  return snapshot;
}

std::string shown(const Decision& decision) {
  std::string out = name(decision.step);
  const auto add = [&](std::string_view what, std::string_view value) {
    out += "\n  " + std::string(what) + " " + std::string(value);
  };
  std::visit(
      [&](const auto& step) {
        using Kind = std::decay_t<decltype(step)>;
        if constexpr (requires { step.upstream; }) add("upstream", step.upstream.name());
        if constexpr (requires { step.base; }) add("base", step.base.name());
        if constexpr (requires { step.draft; }) add("draft", step.draft.name());
        if constexpr (requires { step.workspace; }) add("workspace", step.workspace);
        if constexpr (requires { step.proposed; }) add("proposed", step.proposed.name());
        if constexpr (requires { step.onto; }) add("onto", step.onto.name());
        if constexpr (std::is_same_v<Kind, Restore>)
          for (const Revision& one : step.revisions) add("revision", one.name());
        if constexpr (std::is_same_v<Kind, Adopt>)
          for (const Revision& one : step.revisions) add("adopt", one.name());
        if constexpr (std::is_same_v<Kind, LetGo>)
          for (const auto& [one, how] : step.revisions) add(name(how), one.name());
        if constexpr (std::is_same_v<Kind, Stall>) add("reason", step.reason);
      },
      decision.step);
  if (decision.next) add("look again", rfc3339(*decision.next));
  return out + "\nbecause " + decision.reason + "\n";
}

class Decide : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Decide, MatchesItsFile) {
  GetParam().expect("want", shown(decide(snapshot_from(GetParam()))));
}

INSTANTIATE_TEST_SUITE_P(Data, Decide,
                         ::testing::ValuesIn(portico::testing::cases("variants/tests/data/decide")),
                         portico::testing::case_name);

class Upstreams : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Upstreams, MatchesItsFile) {
  const auto observed = revisions_from(from_yaml(GetParam()["revisions"]), "up", "foo");
  std::string out;
  const json::Value choices = from_yaml(GetParam()["choices"]);
  for (const json::Value& choice : choices.items()) {
    api::PackageVariantSpec spec = *api::decode<api::PackageVariantSpec>(
        json::Value::object({{"upstream", choice.with("repo", "up").with("package", "foo")}}));
    const auto found = resolve_upstream(*spec.upstream, observed);
    out += found ? found->name() + "\n"
                 : std::string(name(found.error().code)) + ": " + found.error().text() + "\n";
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(
    Data, Upstreams, ::testing::ValuesIn(portico::testing::cases("variants/tests/data/upstream")),
    portico::testing::case_name);

TEST(Names, OfVariantsAreUniqueAndValid) {
  EXPECT_EQ(variant_name("set", {"edge-1", "web"}), "set-edge-1-web");
  // Two pairs with the same identifier.
  const std::string first = variant_name("s", {"a-b", "c"});
  const std::string second = variant_name("s", {"a", "b-c"}, {first});
  EXPECT_EQ(first, "s-a-b-c");
  EXPECT_NE(first, second);
  EXPECT_TRUE(second.starts_with("s-a-b-c-")) << second;
  // Characters that a name cannot contain.
  const std::string nested = variant_name("s", {"r", "a/b"});
  EXPECT_TRUE(nested.starts_with("s-r-a-b-")) << nested;
  EXPECT_NE(nested, variant_name("s", {"r", "a-b"}));
}

RC_GTEST_PROP(Names, AreAlwaysValid,
              (const std::string& set, const std::string& repo, const std::string& package)) {
  const std::string name = variant_name(set, {repo, package});
  RC_ASSERT(name.size() <= 63u);
  RC_ASSERT(krm::is_dns1123_subdomain(name));
}

// ---- a simulated world in which decisions are carried out

/// Carries out a decision, as the real system would, and records the status.
void carry_out(VariantSnapshot& world, const Decision& decision) {
  VariantOutcome outcome{decision, std::nullopt, std::nullopt};
  const api::PackageVariant variant = *world.variant;
  const auto change = [&](const Revision& which, auto&& how) {
    for (Revision& one : world.downstreams) {
      if (one.name() != which.name()) continue;
      api::PackageRevision object = *one.object;
      how(object);
      one.object = std::make_shared<const api::PackageRevision>(std::move(object));
    }
  };
  const auto content = [&](const Revision& which, const std::string& tree) {
    for (Revision& one : world.downstreams)
      if (one.name() == which.name()) one.tree = tree;
  };
  const auto tree_of = [&](const std::string& revision) {
    for (const Revision& one : world.downstreams)
      if (one.name() == revision) return one.tree;
    return std::string();
  };
  const auto built = [&](const std::string& revision, const Revision& upstream) {
    outcome.built = Built{
        revision, tree_of(revision), inputs_hash(variant, upstream, world.injected), {}, {}, {}};
  };
  const auto upstream_tree = [](const Revision& upstream) {
    return upstream.object->status.self_lock->git->commit;
  };
  const auto add_draft = [&](const Step& step, const Revision& upstream) {
    api::PackageRevision draft = new_draft(variant, step);
    draft.metadata.name = "down.bar." + draft.spec.workspace_name;
    draft.metadata.creation_timestamp = rfc3339(world.now);
    draft.status.upstream_lock = upstream.object->status.self_lock;
    if (const auto current = sort_downstreams(variant, world.downstreams).current())
      draft.status.base = {{"b", current->tree}};
    Revision made;
    made.tree = "of " + draft.metadata.name;
    made.object = std::make_shared<const api::PackageRevision>(std::move(draft));
    world.downstreams.push_back(made);
    built(made.name(), upstream);
  };
  const auto lock_to = [](const Revision& upstream) {
    return [&](api::PackageRevision& object) {
      object.status.upstream_lock = upstream.object->status.self_lock;
    };
  };
  std::visit(
      [&](const auto& step) {
        using Kind = std::decay_t<decltype(step)>;
        if constexpr (std::is_same_v<Kind, Clone> || std::is_same_v<Kind, UpgradeNewDraft>) {
          add_draft(step, step.upstream);
        } else if constexpr (std::is_same_v<Kind, UpgradeInPlace>) {
          change(step.draft, lock_to(step.upstream));
          content(step.draft, "at " + upstream_tree(step.upstream));
          built(step.draft.name(), step.upstream);
        } else if constexpr (std::is_same_v<Kind, EditNewDraft>) {
          built(step.base.name(), step.upstream);  // as if the build found no change
        } else if constexpr (std::is_same_v<Kind, EditInPlace>) {
          built(step.draft.name(), step.upstream);
        } else if constexpr (std::is_same_v<Kind, Restore>) {
          for (const Revision& one : step.revisions)
            change(one, [](auto& object) { object = restored(object); });
        } else if constexpr (std::is_same_v<Kind, Rebase>) {
          change(step.draft, [&](auto& object) { object.status.base = {{"b", step.onto.tree}}; });
          content(step.draft, step.draft.tree + "+" + step.onto.tree);
        } else if constexpr (std::is_same_v<Kind, Propose>) {
          change(step.draft, [](auto& object) {
            object.spec.lifecycle = krm::name(krm::Lifecycle::kProposed);
            object.status.proposal = api::Proposal{"Portico", "", "Propose: policy"};
          });
        } else if constexpr (std::is_same_v<Kind, TakeBack>) {
          change(step.proposed, [](auto& object) {
            object.spec.lifecycle = krm::name(krm::Lifecycle::kDraft);
            object.status.proposal.reset();
          });
        } else if constexpr (std::is_same_v<Kind, Approve>) {
          std::int64_t highest = 0;
          for (const Revision& one : world.downstreams)
            if (one.spec().package_name == step.proposed.spec().package_name)
              highest = std::max(highest, one.spec().revision);
          change(step.proposed, [&](auto& object) {
            object.spec.lifecycle = krm::name(krm::Lifecycle::kPublished);
            object.spec.revision = highest + 1;
            object.status.base.reset();
          });
          for (Revision& one : world.downstreams)
            if (is_branch_head(one)) one.tree = step.proposed.tree;
        } else if constexpr (std::is_same_v<Kind, DropDraft>) {
          std::erase_if(world.downstreams,
                        [&](const Revision& each) { return each.name() == step.draft.name(); });
        } else if constexpr (std::is_same_v<Kind, Adopt>) {
          for (const Revision& one : step.revisions)
            change(one, [&](auto& object) { object = adopted(object, variant); });
        } else if constexpr (std::is_same_v<Kind, LetGo>) {
          for (const auto& farewell : step.revisions) {
            const Revision& one = farewell.first;
            const Farewell how = farewell.second;
            if (how == Farewell::kDelete) {
              std::erase_if(world.downstreams,
                            [&](const Revision& each) { return each.name() == one.name(); });
            } else {
              change(one, [&](auto& object) { object = after_farewell(object, variant, how); });
            }
          }
        }
      },
      decision.step);
  api::PackageVariant after = variant;
  after.status = variant_status(world, outcome, world.now);
  world.variant = std::make_shared<const api::PackageVariant>(std::move(after));
}

api::ApprovalRule any_rule() {
  using rc::gen::element;
  api::ApprovalRule rule;
  rule.policy = *element<std::string>("", "never", "initial", "always", "always", "unedited");
  rule.after = *element<std::string>("", "", "10m", "1h");
  if (*rc::gen::inRange(0, 6) == 0) rule.conditions = {"Checked"};
  return rule;
}

/// Any mixture of upstream and downstream revisions.
VariantSnapshot any_world(bool policies) {
  using rc::gen::element;
  VariantSnapshot world;
  api::PackageVariant variant;
  variant.metadata.name = "pv";
  variant.metadata.ns = "default";
  variant.metadata.uid = kVariantUid;
  variant.spec.upstream.emplace();
  variant.spec.upstream->repo = "up";
  variant.spec.upstream->package = "foo";
  variant.spec.downstream = {"down", "bar"};
  variant.spec.adoption_policy = *element<std::string>("", "adoptNone", "adoptExisting");
  variant.spec.deletion_policy = *element<std::string>("", "delete", "orphan");
  if (*rc::gen::arbitrary<bool>()) variant.spec.package_context = {{{"k", "v"}}, {}};
  if (*rc::gen::inRange(0, 6) == 0) variant.metadata.deletion_timestamp = "2026-01-01T00:00:00Z";
  world.now = TimePoint{std::chrono::hours(1)};
  if (policies && *rc::gen::inRange(0, 4) > 0) {
    variant.spec.approval.emplace();
    if (*rc::gen::arbitrary<bool>()) variant.spec.approval->propose = any_rule();
    if (*rc::gen::arbitrary<bool>()) variant.spec.approval->approve = any_rule();
  } else if (policies) {
    variant.spec.annotations["approval.nephio.org/policy"] =
        *element<std::string>("initial", "always", "other");
    if (*rc::gen::arbitrary<bool>())
      variant.spec.annotations["approval.nephio.org/delay"] = *element<std::string>("5m", "soon");
  }
  const auto number = [](int from, int to) { return *rc::gen::inRange(from, to); };
  for (int i = number(0, 4); i > 0; --i)
    world.upstreams.push_back(revision_from(
        json::Value::object({{"revision", i}, {"commit", "c" + std::to_string(i)}}), "up", "foo"));
  const int count = number(0, 6);
  for (int i = 1; i <= count; ++i) {
    json::Value one = json::Value::object({{"workspace", "w" + std::to_string(i)}});
    const std::string lifecycle =
        *element<std::string>("Draft", "Proposed", "Published", "DeletionProposed");
    one = one.with("lifecycle", lifecycle);
    if (lifecycle == "Published" || lifecycle == "DeletionProposed") one = one.with("revision", i);
    const int owner = number(0, 5);
    if (owner < 3) one = one.with("owner", kVariantUid);
    if (owner == 3) one = one.with("owner", "another");
    if (number(0, 4) == 0) one = one.with("package", "other");
    const int lock = number(0, 4);
    if (lock > 0)
      one = one.with("lock", json::Value::object({{"ref", "foo/v" + std::to_string(lock)},
                                                  {"commit", "c" + std::to_string(lock)}}));
    // Few distinct contents, so that drafts often equal the published content.
    if (number(0, 4) > 0) one = one.with("tree", "t" + std::to_string(number(0, 4)));
    if (number(0, 2) > 0) one = one.with("base", "t" + std::to_string(number(0, 4)));
    if (number(0, 3) == 0)
      one = one.with("pristine", "p" + std::to_string(number(0, 2)))
                .with("pristineTree", "t" + std::to_string(number(0, 4)));
    one = one.with("created", "1970-01-01T00:58:00Z");
    if (number(0, 5) == 0) one = one.with("conditions", json::Value::object({{"Checked", "True"}}));
    if (number(0, 2) == 0) one = one.with("proposed by policy", true);
    if (number(0, 5) == 0) one = one.with("gates", json::Value::array({"Checked"}));
    if (number(0, 5) == 0) one = one.with("rejected", "t" + std::to_string(number(0, 4)));
    if (number(0, 4) == 0) one = one.with("letGo", "default/pv");
    if (number(0, 5) == 0) one = one.with("variant", "default/pv");
    world.downstreams.push_back(revision_from(one, "down", "bar"));
  }
  if (number(0, 3) == 0)
    world.downstreams.push_back(
        revision_from(json::Value::object({{"workspace", "main"},
                                           {"revision", -1},
                                           {"ref", "main"},
                                           {"lifecycle", "Published"},
                                           {"tree", "t" + std::to_string(number(0, 4))}}),
                      "down", "bar"));
  if (number(0, 8) == 0) world.downstream_repository = false;
  if (number(0, 8) == 0) world.downstream_read = false;
  world.variant = std::make_shared<const api::PackageVariant>(std::move(variant));
  return world;
}

/// Runs to a step that ends; one more decision must change nothing, including the status.
Decision settled(VariantSnapshot& world) {
  int steps = 0;
  Decision decision = decide(world);
  for (; !ends(decision.step); decision = decide(world)) {
    RC_ASSERT(++steps < kMostSteps);
    carry_out(world, decision);
  }
  carry_out(world, decision);
  const Decision again = decide(world);
  RC_ASSERT(again.reason == decision.reason);
  RC_ASSERT(again.next == decision.next);
  const auto before = world.variant->status;
  carry_out(world, again);
  RC_ASSERT(world.variant->status == before);
  return decision;
}

RC_GTEST_PROP(Decisions, EndAndStayWhereTheyEnded, ()) {
  VariantSnapshot world = any_world(true);
  Decision decision = settled(world);
  // When the wait has passed it proceeds and ends again, until no wait is left.
  int looks = 0;
  for (; decision.next; decision = settled(world)) {
    RC_ASSERT(++looks < kMostSteps);
    RC_ASSERT(*decision.next > world.now);
    world.now = *decision.next;
    const Step due = decide(world).step;
    RC_ASSERT(std::holds_alternative<Propose>(due) || std::holds_alternative<Approve>(due));
  }
}

RC_GTEST_PROP(Decisions, ApproveNothingThatIsOnAnOldBaseOrDoesNotMeetItsGates, ()) {
  VariantSnapshot world = any_world(true);
  for (int i = 0; i < kMostSteps; ++i) {
    const Decision decision = decide(world);
    if (const auto* approve = std::get_if<Approve>(&decision.step)) {
      RC_ASSERT(!api::unmet_gate(*approve->proposed.object));
      RC_ASSERT(approve->proposed.is(krm::Lifecycle::kProposed));
      RC_ASSERT(api::owned_by(approve->proposed.object->metadata, kVariantUid));
      const auto current = sort_downstreams(*world.variant, world.downstreams).current();
      const auto& base = approve->proposed.object->status.base;
      // In parentheses, because RC_ASSERT overloads ||, which evaluates both sides.
      RC_ASSERT((!current || current->tree.empty() || !base || base->tree == current->tree));
    }
    if (ends(decision.step)) {
      if (!decision.next) break;
      world.now = *decision.next;
      continue;
    }
    carry_out(world, decision);
  }
}

RC_GTEST_PROP(Decisions, NeverTouchProposalsOrWhatOthersControl, ()) {
  VariantSnapshot world = any_world(false);
  const std::vector<Revision> before = world.downstreams;
  if (world.variant->metadata.deleting()) RC_DISCARD("deletion takes proposals back");
  for (int i = 0; i < 30; ++i) {
    const Decision decision = decide(world);
    if (ends(decision.step)) break;
    carry_out(world, decision);
  }
  for (const Revision& one : before) {
    const bool other = one.spec().package_name == "other";
    const krm::OwnerReference* controller = api::controller_of(one.object->metadata);
    const bool foreign = controller != nullptr && controller->uid == "another";
    if (!foreign && (!one.is(krm::Lifecycle::kProposed) || other)) continue;
    const auto at = std::find_if(world.downstreams.begin(), world.downstreams.end(),
                                 [&](const Revision& each) { return each.name() == one.name(); });
    RC_ASSERT(at != world.downstreams.end());
    RC_ASSERT(at->spec() == one.spec());
    RC_ASSERT(at->object->status == one.object->status);
    if (foreign) RC_ASSERT(at->object->metadata == one.object->metadata);
  }
}

TEST(Status, SaysWhatHappened) {
  VariantSnapshot world;
  api::PackageVariant variant;
  variant.metadata.generation = 4;
  variant.spec.upstream.emplace();
  world.variant = std::make_shared<const api::PackageVariant>(variant);
  const TimePoint now{std::chrono::seconds(0)};
  const auto conditions = [&](Step step, std::optional<Error> error) {
    const auto status =
        variant_status(world, {{std::move(step), "why"}, std::move(error), {}}, now);
    EXPECT_EQ(status.observed_generation, 4);
    std::string out;
    for (const api::Condition& one : status.conditions)
      out += one.type + "=" + one.status + " " + one.reason + ": " + one.message + "\n";
    return out;
  };
  EXPECT_EQ(
      conditions(Stall{"ValidationError", "bad"}, {}),
      "Stalled=True ValidationError: bad\nReady=False Error: invalid packagevariant object\n");
  EXPECT_EQ(conditions(Stall{"UpstreamNotFound", "gone"}, {}),
            "Stalled=True UpstreamNotFound: gone\nReady=False UpstreamNotFound: gone\n");
  EXPECT_EQ(conditions(Keep{}, {}),
            "Stalled=False Valid: all validation checks passed\n"
            "Ready=True NoErrors: successfully ensured downstream package variant\n");
  EXPECT_EQ(
      conditions(Keep{}, invalid("broken").in("render")),
      "Stalled=False Valid: all validation checks passed\nReady=False Error: render: broken\n");
  EXPECT_EQ(conditions(WaitForReview{}, {}),
            "Stalled=False Valid: all validation checks passed\n"
            "Ready=False WaitingForReview: why\n");
}

}  // namespace
}  // namespace portico::variants
