#include <map>
#include <optional>
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

// Prints what no state shows: drift and unmet injections.
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

// The number of fields and files that users edited.
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

// A variant whose package users have edited.
struct Edited {
  Value variant, revision;
  std::vector<merge::Difference> edits;
  std::string since;             // what the edits are relative to
  std::optional<Error> unknown;  // why the edits cannot be determined
};

Result<std::vector<Edited>> edited_variants(engine::Engine& engine, const std::string& ns) {
  PORTICO_TRY(const auto variants, all_of(engine.registry(), api::variant_kind(), ns));
  PORTICO_TRY(const auto revisions, all_of(engine.registry(), api::revision_kind(), ns));
  const Owned owned = by_variant(revisions);
  std::vector<Edited> out;
  for (const Value& variant : variants) {
    const Value newest = newest_revision(owned, variant);
    if (newest.is_null()) continue;
    const Value& status = newest["status"];
    if (!status["tree"].as_string().empty() && status["pristine"]["tree"] == status["tree"])
      continue;
    Edited one{variant, newest, {}, "", std::nullopt};
    const auto pristine = pristine_of(engine, newest);
    if (pristine) {
      PORTICO_TRY(const auto content, engine.packages().read(newest));
      one.edits = package::local_edits(*pristine->content, *content);
      if (one.edits.empty()) continue;
      one.since = pristine->what;
    } else {
      one.unknown = pristine.error();
    }
    out.push_back(std::move(one));
  }
  return out;
}

Value to_json(const std::vector<Edited>& edited) {
  std::vector<Value> out;
  for (const Edited& one : edited) {
    Value item = Value::object({{"namespace", krm::namespace_of(one.variant)},
                                {"variant", krm::name_of(one.variant)},
                                {"revision", krm::name_of(one.revision)}});
    if (one.unknown) {
      out.push_back(item.with("error", one.unknown->text()));
      continue;
    }
    std::vector<Value> edits;
    for (const merge::Difference& each : one.edits)
      edits.push_back(Value::object({{"file", each.file}, {"field", each.field}}));
    out.push_back(item.with("since", one.since).with("edits", Value::array(std::move(edits))));
  }
  return Value::array(std::move(out));
}

Result<Exit> list_edited(engine::Engine& engine, const StatusOptions& options,
                         const std::string& ns, Terminal& out) {
  PORTICO_TRY(const auto edited, edited_variants(engine, ns));
  if (options.output == "json") {
    out.print("{}\n", json::print_pretty(to_json(edited)));
    return 0;
  }
  if (edited.empty()) {
    out.print("no variant has local edits\n");
    return 0;
  }
  std::vector<std::vector<std::string>> rows{
      {"NAME", "REVISION", "EDITS", "FIELDS", "FILES", "SINCE"}};
  for (const Edited& one : edited) {
    const EditCounts counts = counted(one.edits);
    std::vector<std::string> row{std::string(krm::name_of(one.variant)),
                                 std::string(krm::name_of(one.revision))};
    if (one.unknown)
      row.insert(row.end(), {"?", "?", "?", one.unknown->text()});
    else
      row.insert(row.end(), {std::to_string(one.edits.size()), std::to_string(counts.fields),
                             std::to_string(counts.files.size()), one.since});
    rows.push_back(std::move(row));
  }
  if (options.all_namespaces)
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].insert(rows[i].begin(),
                     i == 0 ? "NAMESPACE" : std::string(krm::namespace_of(edited[i - 1].variant)));
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
  if (options.edited) return list_edited(*engine, options, ns, context.terminal);
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
