#include "admission/admission.h"
#include "api/kinds.h"
#include "apply/last_applied.h"
#include "cli/commands.h"
#include "cli/conflicts.h"
#include "cli/engine.h"
#include "cli/manifests.h"
#include "controllers/plan_json.h"
#include "controllers/planner.h"
#include "json/text.h"
#include "krm/diff.h"
#include "resources/resources.h"

namespace portico::cli {

using controllers::PlannedSet;
using controllers::PlannedVariant;
using json::Value;

namespace {

struct Counts {
  std::size_t created = 0, updated = 0, deleted = 0, held = 0, drafts = 0, others = 0, failed = 0;
};

const char* sign(variants::Verb verb) {
  return verb == variants::Verb::kCreate ? "+" : verb == variants::Verb::kUpdate ? "~" : "-";
}

Colour colour(variants::Verb verb) {
  return verb == variants::Verb::kCreate   ? Colour::kGreen
         : verb == variants::Verb::kUpdate ? Colour::kYellow
                                           : Colour::kRed;
}

void print_set(Terminal& out, const PlannedSet& set, Counts& counts) {
  out.print("{} {}: {} targets\n", out.paint(Colour::kBold, "set"), set.key.name, set.desired);
  if (set.stall) out.print("  {}\n", out.paint(Colour::kRed, set.stall->message));
  if (set.no_match) out.print("  {}\n", out.paint(Colour::kYellow, *set.no_match));
  for (const variants::FailedTarget& failure : set.failures) {
    ++counts.failed;
    out.print("  {} {}/{}: {}\n", out.paint(Colour::kRed, "!"),
              failure.key ? failure.key->repo : failure.repo_default,
              failure.key ? failure.key->package : failure.package_default, failure.error.text());
  }
  for (const variants::SetAction& action : set.actions) {
    ++(action.verb == variants::Verb::kCreate   ? counts.created
       : action.verb == variants::Verb::kUpdate ? counts.updated
                                                : counts.deleted);
    out.print("  {} packagevariant {} -> {} ({})\n",
              out.paint(colour(action.verb), sign(action.verb)), action.object->metadata.name,
              action.key.text(), action.reason);
  }
  if (!set.hold) return;
  counts.held += set.hold->deletions.size();
  for (const variants::SetAction& action : set.hold->deletions)
    out.print("  {} packagevariant {} -> {} (held back: {})\n", out.paint(Colour::kYellow, "="),
              action.object->metadata.name, action.key.text(), action.reason);
  out.print("  {}\n", out.paint(Colour::kYellow, set.hold->message));
}

std::string fate(const std::pair<variants::Revision, variants::Farewell>& each) {
  return fmt::format("{} {}", variants::name(each.second), each.first.name());
}

void print_variant(Terminal& out, const PlannedVariant& variant, bool diffs, Counts& counts) {
  const std::string what =
      variant.workspace.empty()
          ? std::string(variants::name(variant.decision.step))
          : fmt::format("{} {}", variants::name(variant.decision.step), variant.workspace);
  out.print("{} {} -> {}: {} ({})\n", out.paint(Colour::kBold, "variant"), variant.key.name,
            variant.downstream.text(), what, variant.decision.reason);
  if (variant.error) {
    ++counts.failed;
    out.print("  {} {}\n", out.paint(Colour::kRed, "!"), variant.error->text());
  } else if (variant.built) {
    ++counts.drafts;
    if (!variant.built->conflicts.empty()) out.write(conflict_table(variant.built->conflicts));
    if (diffs) {
      const krm::Package nothing;
      out.write(paint_diff(
          out,
          krm::diff_packages(variant.built->before != nullptr ? *variant.built->before : nothing,
                             variant.built->content)));
    }
  } else {
    ++counts.others;
    if (const auto* let_go = std::get_if<variants::LetGo>(&variant.decision.step))
      for (const auto& each : let_go->revisions) out.print("  {}\n", fate(each));
  }
}

}  // namespace

Result<Exit> run_plan(const PlanOptions& options, Context& context) {
  PORTICO_TRY(const auto manifests, read_manifests(options.files, context.globals.ns));
  PORTICO_TRY(const auto engine, Engine::open(context));
  registry::Overlay overlay(engine->registry());
  for (const Manifest& manifest : manifests) {
    const std::string place = manifest.source + ": " + resources::name_line(manifest.object);
    PORTICO_TRY(const admission::Admitted admitted, admission::admit(manifest.object), place);
    for (const std::string& warning : admitted.warnings)
      context.terminal.warning(fmt::format("{}: {}", place, warning));
    const auto stored = overlay.get(krm::object_key(admitted.object));
    PORTICO_DO(
        overlay.commit({{stored ? registry::Verb::kUpdate : registry::Verb::kCreate,
                         apply::merge_applied(stored ? *stored : Value(), admitted.object)}}),
        place);
  }
  const Engine::Ports ports = engine->ports_over(overlay);
  PORTICO_TRY(const controllers::Plan plan,
              controllers::make_plan(engine->registry(), overlay, *ports.drafts));
  Terminal& out = context.terminal;
  if (options.output == "json") {
    out.print("{}\n", json::print_pretty(controllers::to_json(plan)));
    return 0;
  }
  if (!options.output.empty())
    return invalid("unknown output \"{}\"; there is json", options.output);
  Counts counts;
  for (const PlannedSet& set : plan.sets) print_set(out, set, counts);
  for (const PlannedVariant& variant : plan.variants)
    print_variant(out, variant, !options.no_diff, counts);
  out.print(
      "{} variants to create, {} to change, {} to delete{}; {} drafts, {} other steps, {} "
      "failing; nothing was written\n",
      counts.created, counts.updated, counts.deleted,
      counts.held == 0 ? "" : fmt::format(" ({} more held back)", counts.held), counts.drafts,
      counts.others, counts.failed);
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace portico::cli
