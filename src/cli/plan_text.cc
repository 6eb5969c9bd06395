#include "cli/plan_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cli/conflicts.h"
#include "cli/printer.h"
#include "krm/diff.h"
#include "resources/resources.h"

namespace portico::cli {

using controllers::Fate;
using controllers::Plan;
using controllers::PlannedError;
using controllers::PlannedSet;
using controllers::PlannedVariant;

namespace {

// As in kubectl -o name, which distinguishes objects with the same name in a namespace.
std::string name_of(const krm::ObjectKey& key) {
  const std::string name = resources::name_line(
      json::Value::object({{"apiVersion", key.type.group + "/v1"}, {"kind", key.type.kind}})
          .with_at({"metadata", "name"}, key.name));
  return key.ns == "default" ? name : fmt::format("{} (namespace {})", name, key.ns);
}

const char* sign(variants::Verb verb) {
  return verb == variants::Verb::kCreate ? "+" : verb == variants::Verb::kUpdate ? "~" : "-";
}

Colour colour(variants::Verb verb) {
  return verb == variants::Verb::kCreate   ? Colour::kGreen
         : verb == variants::Verb::kUpdate ? Colour::kYellow
                                           : Colour::kRed;
}

void print_set(Terminal& out, const PlannedSet& set) {
  out.print("{} {}: {}\n", out.paint(Colour::kBold, "set"), set.key.name,
            set.stall ? set.stall->reason : counted(set.desired, "target"));
  if (set.stall) out.print("  {}\n", out.paint(Colour::kRed, set.stall->message));
  if (set.no_match) out.print("  {}\n", out.paint(Colour::kYellow, *set.no_match));
  for (const variants::FailedTarget& failure : set.failures)
    out.print("  {} {}/{}: {}\n", out.paint(Colour::kRed, "!"),
              failure.key ? failure.key->repo : failure.repo_default,
              failure.key ? failure.key->package : failure.package_default, failure.error.text());
  for (const variants::FailedAction& failure : set.failed_actions)
    out.print("  {} {}: {}\n", out.paint(Colour::kRed, "!"), failure.key.text(),
              failure.error.text());
  for (const variants::SetAction& action : set.actions)
    out.print("  {} packagevariant {} -> {} ({})\n",
              out.paint(colour(action.verb), sign(action.verb)), action.object->metadata.name,
              action.key.text(), action.reason);
  if (!set.hold) return;
  for (const variants::SetAction& action : set.hold->deletions)
    out.print("  {} packagevariant {} -> {} (held back: {})\n", out.paint(Colour::kYellow, "="),
              action.object->metadata.name, action.key.text(), action.reason);
  out.print("  {}\n", out.paint(Colour::kYellow, set.hold->message));
}

std::string text_of(const Fate& fate) {
  if (fate.word == "remove") return fate.revision + ": draft removed";
  if (fate.word == "proposeDeletion") return fate.revision + ": proposed for deletion";
  if (fate.word == "orphan") return fate.revision + ": orphaned, no longer kept up to date";
  if (fate.word == "restore") return fate.revision + ": its proposed deletion is withdrawn";
  if (fate.word == "propose") return fate.revision + ": proposed";
  if (fate.word == "takeBack") return fate.revision + ": its proposal is withdrawn";
  if (fate.word == "publish") return fate.revision + ": published";
  if (fate.word == "adopt") return fate.revision + ": adopted";
  return fate.revision + ": stays";
}

void print_variant(Terminal& out, const PlannedVariant& variant, bool diffs) {
  const std::string what =
      variant.workspace.empty()
          ? std::string(variants::name(variant.decision.step))
          : fmt::format("{} {}", variants::name(variant.decision.step), variant.workspace);
  out.print("{} {} -> {}: {} ({})\n", out.paint(Colour::kBold, "variant"), variant.key.name,
            variant.downstream.text(), what, variant.decision.reason);
  if (variant.error) out.print("  {} {}\n", out.paint(Colour::kRed, "!"), variant.error->text());
  for (const Fate& fate : controllers::fates_of(variant.decision.step))
    out.print("  {}\n", text_of(fate));
  if (!variant.built) return;
  if (!variant.built->conflicts.empty()) out.write(conflict_table(variant.built->conflicts));
  if (!diffs) return;
  const krm::Package nothing;
  out.write(terminal::paint_diff(
      out, krm::diff_packages(variant.built->before != nullptr ? *variant.built->before : nothing,
                              variant.built->content)));
}

void print_errors(Terminal& out, const std::vector<PlannedError>& errors) {
  constexpr std::size_t kShown = 20;
  std::size_t as_before = 0, news = 0;
  for (const PlannedError& error : errors) {
    if (!error.asked && error.before) {
      ++as_before;
      continue;
    }
    if (++news > kShown) continue;
    out.print("{} {} {}\n", out.paint(Colour::kRed, "fails"), name_of(error.key), error.message);
  }
  if (news > kShown) out.print("... and {} more\n", news - kShown);
  if (as_before > 0)
    out.print("{} failing as before, see portico status\n", counted(as_before, "other object"));
}

}  // namespace

void print_plan(Terminal& out, const Plan& plan, const PlanText& how) {
  for (const PlannedSet& set : plan.sets) print_set(out, set);
  std::set<krm::ObjectKey> shown, left;
  for (const PlannedVariant& variant : plan.variants) {
    if (how.most_variants != 0 && !shown.contains(variant.key) &&
        shown.size() == how.most_variants) {
      left.insert(variant.key);
      continue;
    }
    shown.insert(variant.key);
    print_variant(out, variant, how.diffs);
  }
  if (!left.empty()) out.print("... and {} more variants\n", left.size());
  print_errors(out, plan.errors);
}

Exit print_done(Terminal& out, const Plan& done) {
  const Exit exit = std::any_of(done.errors.begin(), done.errors.end(),
                                [](const PlannedError& error) { return error.untold; })
                        ? 1
                        : 0;
  if (done.sets.empty() && done.variants.empty() && !done.failed()) return exit;
  print_plan(out, done, {.diffs = false, .most_variants = 20});
  out.print("{}\n", plan_counts(done, true));
  return exit;
}

std::string plan_counts(const Plan& plan, bool done) {
  std::size_t created = 0, updated = 0, deleted = 0, held = 0;
  for (const PlannedSet& set : plan.sets) {
    for (const variants::SetAction& action : set.actions)
      ++(action.verb == variants::Verb::kCreate   ? created
         : action.verb == variants::Verb::kUpdate ? updated
                                                  : deleted);
    if (set.hold) held += set.hold->deletions.size();
  }
  std::size_t drafts = 0, upgrades = 0, merged = 0, conflicts = 0, removed = 0, proposed = 0;
  std::size_t orphaned = 0, adopted = 0, restored = 0, proposals = 0, published = 0, taken_back = 0;
  std::size_t waiting = 0, failing = 0, before = 0;
  for (const PlannedVariant& variant : plan.variants) {
    const variants::Step& step = variant.decision.step;
    if (std::holds_alternative<variants::WaitForReview>(step)) ++waiting;
    if (!variant.changes()) continue;
    if (!variant.revision.empty()) ++drafts;
    if (!variant.revision.empty() && (std::holds_alternative<variants::UpgradeNewDraft>(step) ||
                                      std::holds_alternative<variants::UpgradeInPlace>(step)))
      ++upgrades;
    if (variant.built && !variant.built->conflicts.empty()) {
      ++merged;
      conflicts += variant.built->conflicts.size();
    }
    for (const Fate& fate : controllers::fates_of(step))
      ++(fate.word == "remove"            ? removed
         : fate.word == "proposeDeletion" ? proposed
         : fate.word == "orphan"          ? orphaned
         : fate.word == "adopt"           ? adopted
         : fate.word == "propose"         ? proposals
         : fate.word == "publish"         ? published
         : fate.word == "takeBack"        ? taken_back
                                          : restored);
  }
  for (const PlannedError& error : plan.errors) ++(error.asked || !error.before ? failing : before);

  std::string out = done ? fmt::format("{} created, {} changed, {} deleted",
                                       counted(created, "variant"), updated, deleted)
                         : fmt::format("{} to create, {} to change, {} to delete",
                                       counted(created, "variant"), updated, deleted);
  if (held > 0) out += fmt::format(" ({} more held back)", held);
  std::vector<std::string> parts{counted(drafts, "draft")};
  const auto add = [&](std::size_t count, std::string_view text) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, text));
  };
  add(upgrades, "of them upgraded");
  if (conflicts > 0)
    parts.push_back(
        fmt::format("{} in {}", counted(conflicts, "conflict"), counted(merged, "package")));
  add(proposals, "proposed");
  add(taken_back, "withdrawn");
  add(published, "published");
  add(removed, "removed");
  add(proposed, "proposed for deletion");
  add(orphaned, "orphaned");
  add(adopted, "adopted");
  add(restored, "restored");
  add(waiting, "waiting for review");
  out += fmt::format("; {}; {} failing", fmt::join(parts, ", "), failing);
  if (before > 0) out += fmt::format(" ({} more as before)", before);
  return out;
}

}  // namespace portico::cli
