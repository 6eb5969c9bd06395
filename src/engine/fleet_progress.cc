#include "engine/fleet_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/kinds.h"

namespace portico::engine {

using json::Value;

namespace {

std::size_t stored(const registry::Registry& registry, const krm::GroupKind& kind) {
  const auto first = registry.list({.type = kind, .limit = 1});
  return first ? first->objects.size() + first->remaining.value_or(0) : 0;
}

}  // namespace

Value to_json(const FleetProgress& standing) {
  const auto number = [](std::size_t count) { return static_cast<std::uint64_t>(count); };
  return Value::object({{"variants", number(standing.variants)},
                        {"settled", number(standing.settled)},
                        {"failing", number(standing.failing)},
                        {"drafts", number(standing.drafts)},
                        {"reconciled", number(standing.looked)},
                        {"waiting", number(standing.waiting)}});
}

FleetProgress standing_from_json(const Value& value) {
  const auto number = [&](const char* name) {
    return static_cast<std::size_t>(value[name].as_uint());
  };
  return {.variants = number("variants"),
          .settled = number("settled"),
          .failing = number("failing"),
          .drafts = number("drafts"),
          .looked = number("reconciled"),
          // Rehearsals report waiting and running separately.
          .waiting = number("waiting") + number("running")};
}

void draw(const FleetProgress& standing, std::string_view what, terminal::Terminal& terminal) {
  if (standing.variants == 0)
    return terminal.progress(what, standing.looked, standing.looked + standing.waiting);
  std::string counted = " variants settled";
  if (standing.drafts > 0)
    counted +=
        fmt::format(", {} draft{} created", standing.drafts, standing.drafts == 1 ? "" : "s");
  if (standing.failing > 0) counted += fmt::format(", {} failing", standing.failing);
  terminal.progress(what, standing.settled, standing.variants, counted);
}

std::string summary(const FleetProgress& standing, std::chrono::steady_clock::duration time) {
  std::string out = fmt::format("{} of {} variants settled", standing.settled, standing.variants);
  if (standing.drafts > 0)
    out += fmt::format(", {} draft{} created", standing.drafts, standing.drafts == 1 ? "" : "s");
  if (standing.failing > 0) out += fmt::format(", {} failing", standing.failing);
  return out + fmt::format(" in {:.1f} s", std::chrono::duration<double>(time).count());
}

void ProgressCounter::variant_reconciled(const krm::ObjectKey& key, const work::Run&,
                                         const variants::VariantSnapshot&,
                                         const variants::VariantOutcome& outcome,
                                         const drafts::Drafted* drafted) {
  const bool fails =
      outcome.error || std::holds_alternative<variants::Stall>(outcome.decision.step);
  counts_.with([&](Counts& counts) {
    if (fails)
      counts.failing.insert(key);
    else
      counts.failing.erase(key);
    if (!outcome.error && drafted != nullptr && !drafted->object.is_null()) ++counts.drafts;
  });
}

FleetProgress ProgressCounter::standing(const registry::Registry& registry,
                                        const controllers::Manager& manager,
                                        std::size_t drafts_before) const {
  const controllers::Progress progress = manager.progress();
  FleetProgress out{.variants = stored(registry, api::variant_kind()),
                    .settled = 0,
                    .failing = 0,
                    .drafts = 0,
                    .looked = progress.reconciled,
                    .waiting = progress.waiting + progress.running};
  std::size_t open = 0;
  for (const work::PoolState& queue : manager.queues())
    if (queue.name == "packagevariant")
      open = queue.counts.ready + queue.counts.scheduled + queue.counts.running;
  counts_.with([&](const Counts& counts) {
    out.failing = counts.failing.size();
    out.drafts = counts.drafts - std::min(counts.drafts, drafts_before);
  });
  out.settled = out.variants - std::min(out.variants, open + out.failing);
  return out;
}

std::size_t ProgressCounter::drafts() const {
  return counts_.with([](const Counts& counts) { return counts.drafts; });
}

}  // namespace portico::engine
