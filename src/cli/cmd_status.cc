#include <map>
#include <set>

#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/failing.h"
#include "cli/pristine.h"
#include "cli/revisions.h"
#include "engine/engine.h"
#include "json/text.h"
#include "package/builds.h"
#include "resources/resources.h"
#include "resources/state.h"

namespace portico::cli {

using json::Value;

namespace {

Result<std::vector<Value>> all_of(registry::Registry& registry, const krm::GroupKind& kind,
                                  const std::string& ns) {
  PORTICO_TRY(registry::Listing all, registry.list({.type = kind, .ns = ns}));
  return std::move(all.objects);
}

using Owned = std::map<std::string, std::vector<Value>>;  // by the variant's uid

Owned by_variant(const std::vector<Value>& revisions) {
  Owned out;
  for (const Value& revision : revisions)
    for (const krm::OwnerReference& owner : krm::owners_of(revision))
      if (owner.kind == api::kVariantKind) out[owner.uid].push_back(revision);
  return out;
}

Value newest_revision(const Owned& owned, const Value& variant) {
  const auto at = owned.find(std::string(krm::uid_of(variant)));
  return at == owned.end() ? Value() : newest_of(at->second);
}

// What stands in no state: drifts, and injections that are not met.
Result<Done> print_notes(registry::Registry& registry, const std::string& ns,
                         const std::vector<Value>& revisions, Terminal& out) {
  constexpr std::size_t kShown = 20;
  const Owned owned = by_variant(revisions);
  PORTICO_TRY(const auto variants, all_of(registry, api::variant_kind(), ns));
  std::size_t found = 0;
  for (const Value& variant : variants)
    for (const std::string& note : notes_of(variant, newest_revision(owned, variant)))
      if (found++ < kShown)
        out.print("{} {}\n", out.paint(Colour::kYellow, resources::name_line(variant)), note);
  if (found > kShown) out.print("... and {} more\n", found - kShown);
  return Done{};
}

// "3 fields" and "1 file" of what people edited.
struct EditCounts {
  std::size_t fields = 0;
  std::set<std::string_view> files;
};

EditCounts counted(const std::vector<merge::Difference>& edits) {
  EditCounts out;
  for (const merge::Difference& each : edits) {
    if (!each.field.empty()) ++out.fields;
    out.files.insert(each.file);
  }
  return out;
}

Result<Exit> list_edited(engine::Engine& engine, const std::string& ns, bool namespaces,
                         Terminal& out) {
  PORTICO_TRY(const auto variants, all_of(engine.registry(), api::variant_kind(), ns));
  PORTICO_TRY(const auto revisions, all_of(engine.registry(), api::revision_kind(), ns));
  const Owned owned = by_variant(revisions);
  std::vector<std::vector<std::string>> rows;
  for (const Value& variant : variants) {
    const Value newest = newest_revision(owned, variant);
    if (newest.is_null()) continue;
    const Value& status = newest["status"];
    if (!status["tree"].as_string().empty() && status["pristine"]["tree"] == status["tree"])
      continue;
    std::vector<std::string> row;
    if (namespaces) row.emplace_back(krm::namespace_of(variant));
    row.insert(row.end(), {std::string(krm::name_of(variant)), std::string(krm::name_of(newest))});
    const auto pristine = pristine_of(engine, newest);
    if (pristine) {
      PORTICO_TRY(const auto content, engine.packages().read(newest));
      const auto edits = package::local_edits(*pristine->content, *content);
      if (edits.empty()) continue;
      const EditCounts counts = counted(edits);
      row.insert(row.end(), {std::to_string(edits.size()), std::to_string(counts.fields),
                             std::to_string(counts.files.size()), pristine->what});
    } else {
      row.insert(row.end(), {"?", "?", "?", pristine.error().text()});
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    out.print("no variant has local edits\n");
    return 0;
  }
  std::vector<std::string> head{"NAME", "REVISION", "EDITS", "FIELDS", "FILES", "SINCE"};
  if (namespaces) head.insert(head.begin(), "NAMESPACE");
  rows.insert(rows.begin(), std::move(head));
  out.write(terminal::table(rows));
  return 0;
}

Value to_json(std::vector<json::Member> kinds, const std::vector<Value>& failing,
              const std::map<std::string, std::size_t>& lifecycles) {
  std::vector<Value> fails;
  for (const Value& object : failing)
    fails.push_back(Value::object({{"kind", object["kind"]},
                                   {"namespace", krm::namespace_of(object)},
                                   {"name", krm::name_of(object)},
                                   {"state", resources::state_of(object)}}));
  std::vector<json::Member> counts;
  for (const auto& [lifecycle, count] : lifecycles)
    counts.push_back({lifecycle, static_cast<std::int64_t>(count)});
  return Value::object({{"kinds", Value::object(std::move(kinds))},
                        {"lifecycles", Value::object(std::move(counts))},
                        {"failing", Value::array(std::move(fails))}});
}

}  // namespace

Result<Exit> run_status(const StatusOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  registry::Registry& registry = engine->registry();
  const std::string ns = options.all_namespaces ? "" : context.globals.ns;
  if (options.edited) return list_edited(*engine, ns, options.all_namespaces, context.terminal);
  Terminal& out = context.terminal;

  std::vector<std::vector<std::string>> rows{{"", "TOTAL", "READY", "WAITING", "FAILED"}};
  std::vector<json::Member> kinds;
  std::vector<Value> failing;
  for (const krm::GroupKind& kind :
       {api::repository_kind(), api::variant_set_kind(), api::variant_kind()}) {
    PORTICO_TRY(const auto objects, all_of(registry, kind, ns));
    std::size_t ready = 0, waiting = 0, failed = 0;
    for (const Value& object : objects) {
      const api::Health health = resources::health_of(object);
      ++(health == api::Health::kHealthy   ? ready
         : health == api::Health::kWaiting ? waiting
                                           : failed);
      if (health == api::Health::kFailing) failing.push_back(object);
    }
    const auto count = [](std::size_t number) { return Value(static_cast<std::int64_t>(number)); };
    kinds.push_back({resources::plural(kind), Value::object({{"total", count(objects.size())},
                                                             {"ready", count(ready)},
                                                             {"waiting", count(waiting)},
                                                             {"failed", count(failed)}})});
    rows.push_back({resources::plural(kind), std::to_string(objects.size()), std::to_string(ready),
                    std::to_string(waiting), std::to_string(failed)});
  }
  PORTICO_TRY(const auto revisions, all_of(registry, api::revision_kind(), ns));
  std::map<std::string, std::size_t> lifecycles;
  for (const Value& revision : revisions)
    if (revision["spec"]["revision"].as_int() >= 0)
      ++lifecycles[std::string(revision["spec"]["lifecycle"].as_string())];
  if (options.output == "json") {
    out.print("{}\n", json::print_pretty(to_json(std::move(kinds), failing, lifecycles)));
    return 0;
  }
  print_failing(failing, engine->now(), out);
  out.write(terminal::table(rows));
  PORTICO_DO(print_notes(registry, ns, revisions, out));
  std::vector<std::string> counts;
  for (const auto& [lifecycle, count] : lifecycles)
    counts.push_back(fmt::format("{} {}", count, lifecycle));
  if (!counts.empty()) out.print("packagerevisions: {}\n", fmt::join(counts, ", "));
  return 0;
}

}  // namespace portico::cli
