#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/explained_kind.h"
#include "cli/pristine.h"
#include "cli/revisions.h"
#include "controllers/variant_observe.h"
#include "engine/engine.h"
#include "json/text.h"
#include "merge/tree.h"
#include "package/provenance.h"
#include "packages/lineage.h"
#include "resources/resources.h"
#include "resources/state.h"
#include "resources/table.h"

namespace portico::cli {

using json::Value;
using package::Candidate;

namespace {

// A variant's newest revision, or the package revision with that name.
Result<Value> revision_meant(engine::Engine& engine, const std::string& ns,
                             const std::string& name) {
  const registry::Registry& registry = engine.registry();
  if (const auto variant = registry.get({api::variant_kind(), ns, name})) {
    PORTICO_TRY(
        const registry::Listing owned,
        registry.list(
            {.type = api::revision_kind(), .ns = ns, .owner = std::string(krm::uid_of(*variant))}));
    Value newest = newest_of(owned.objects);
    if (newest.is_null()) return not_found("PackageVariant \"{}\" has no package revision", name);
    return newest;
  }
  auto revision = registry.get({api::revision_kind(), ns, name});
  if (!revision && revision.error().code == Code::kNotFound)
    return not_found("no PackageVariant or PackageRevision \"{}\" in namespace \"{}\"", name, ns);
  return revision;
}

// The published revisions of the upstream, up to the one from which the package was made.
Result<std::vector<Value>> upstream_line(engine::Engine& engine, const Value& upstream) {
  PORTICO_TRY(const auto siblings, siblings_of(engine.registry(), upstream));
  const std::int64_t last = upstream["spec"]["revision"].as_int();
  std::vector<Value> out;
  for (const Value& each : siblings)
    if (const std::int64_t number = each["spec"]["revision"].as_int(); number > 0 && number < last)
      out.push_back(each);
  std::sort(out.begin(), out.end(), [](const Value& a, const Value& b) {
    return a["spec"]["revision"].as_int() < b["spec"]["revision"].as_int();
  });
  out.push_back(upstream);
  return out;
}

class FieldStory {
 public:
  FieldStory(engine::Engine& engine, const Value& revision, const package::FieldName& field,
             const package::PlacedResource& resource)
      : engine_(engine), revision_(revision), field_(field), resource_(resource) {}

  /// Continues without inputs that no longer exist; `missing` says which.
  Result<std::vector<Candidate>> build(std::string& missing) {
    const auto inputs = inputs_of(engine_, revision_);
    if (!inputs) {
      missing = inputs.error().text();
      return std::vector<Candidate>();
    }
    std::vector<Candidate> out;
    PORTICO_TRY(const auto line, upstream_line(engine_, inputs->upstream));
    for (const Value& each : line) {
      PORTICO_TRY(const auto content, engine_.packages().read(each),
                  std::string(krm::name_of(each)));
      out.push_back(candidate(
          fmt::format("upstream {} (commit {})", krm::name_of(each),
                      each["status"]["selfLock"]["git"]["commit"].as_string().substr(0, 8)),
          *content));
    }
    const auto steps =
        engine_.drafts().build_steps(inputs->request, std::string(krm::name_of(inputs->upstream)));
    if (!steps) {
      missing = steps.error().text();
      return out;
    }
    for (const drafts::BuildStep& step : *steps) out.push_back(candidate(step.what, *step.content));
    return out;
  }

  Result<std::optional<Candidate>> recorded() {
    PORTICO_TRY(const auto pristine, engine_.packages().pristine_of(revision_));
    if (!pristine) return std::optional<Candidate>();
    const auto content = content_at(pristine->commit);
    if (!content) return std::optional<Candidate>();
    return std::optional(candidate(
        fmt::format("the variant's inputs at the time (commit {})", pristine->commit.substr(0, 8)),
        **content));
  }

  /// Oldest first, without pristine builds.
  Result<std::vector<Candidate>> commits() {
    constexpr std::size_t kMost = 1000;
    PORTICO_TRY(const auto changes, engine_.packages().history(revision_, kMost));
    std::vector<Candidate> out;
    for (auto each = changes.rbegin(); each != changes.rend(); ++each) {
      if (each->pristine) continue;
      const auto content = content_at(each->commit);
      if (!content && content.error().code == Code::kNotFound) continue;
      if (!content) return content.error();
      out.push_back(candidate(fmt::format("{}, commit {} of {}: {}", each->author,
                                          each->commit.substr(0, 8), each->when, each->subject),
                              **content));
    }
    return out;
  }

 private:
  Candidate candidate(std::string who, const krm::Package& content) const {
    return {std::move(who), package::value_in(content, resource_, field_)};
  }
  Result<std::shared_ptr<const krm::Package>> content_at(const std::string& commit) {
    return engine_.packages().read_at(std::string(krm::namespace_of(revision_)),
                                      std::string(revision_["spec"]["repository"].as_string()),
                                      std::string(revision_["spec"]["packageName"].as_string()),
                                      commit);
  }

  engine::Engine& engine_;
  const Value& revision_;
  const package::FieldName& field_;
  const package::PlacedResource& resource_;
};

std::string shown(const std::optional<Value>& value) {
  return value ? merge::value_text(value, 120) : "(not set)";
}

Result<Exit> explain_field(engine::Engine& engine, const ExplainOptions& options,
                           Context& context) {
  PORTICO_TRY(const package::FieldName field, package::parse_field(options.field), "--field");
  PORTICO_TRY(const Value revision, revision_meant(engine, context.globals.ns, options.name));
  const std::string name(krm::name_of(revision));
  PORTICO_TRY(const auto content, engine.packages().read(revision), name);
  PORTICO_TRY(const auto resource, package::find_resource(*content, field), name);
  const auto value = package::value_in(*content, resource, field);

  FieldStory story(engine, revision, field, resource);
  std::string missing;
  PORTICO_TRY(const auto build, story.build(missing));
  PORTICO_TRY(const auto recorded, story.recorded());
  PORTICO_TRY(const auto commits, story.commits());
  const package::FieldHistory history = package::field_history(build, recorded, commits, value);
  if (history.changes.empty())
    return not_found("{}", package::missing_field(*content, resource, field)).in(name);

  Terminal& out = context.terminal;
  out.print("{} {}\n", out.paint(Colour::kBold, "revision"), name);
  out.print("field    {}: {}: {} = {}\n", resource.file, merge::object_text(resource.id),
            field.path_text, shown(value));
  out.print("set by   {}\n", history.changes.back().who);
  for (std::size_t i = history.changes.size() - 1; i-- > 0;)
    out.print("before   {} by {}\n", shown(history.changes[i].value), history.changes[i].who);
  if (!missing.empty()) out.print("unknown  value from the upstream: {}\n", missing);
  return 0;
}

// Prints the retries of the variant and of its upstream and downstream repositories.
Result<Done> print_tries(const registry::Registry& registry, const api::PackageVariant& variant,
                         std::string_view now, Terminal& out) {
  if (const std::string tries = resources::tries_of(api::encode(variant), now); !tries.empty())
    out.print("retry      {}\n", tries);
  std::set<std::string> repositories;
  if (variant.spec.upstream) repositories.insert(variant.spec.upstream->repo);
  if (variant.spec.downstream) repositories.insert(variant.spec.downstream->repo);
  for (const std::string& name : repositories) {
    const auto stored = registry.get({api::repository_kind(), variant.metadata.ns, name});
    if (!stored && stored.error().code != Code::kNotFound) return stored.error();
    if (!stored) continue;
    if (const std::string tries = resources::tries_of(*stored, now); !tries.empty())
      out.print("retry      repository {}: {}\n", name, tries);
  }
  return Done{};
}

Value to_json(const variants::VariantSnapshot& snapshot, const variants::Decision& decision) {
  const Value variant = api::encode(*snapshot.variant);
  std::vector<Value> revisions;
  for (const variants::Revision& revision : snapshot.downstreams)
    revisions.push_back(Value::object(
        {{"name", revision.name()},
         {"lifecycle", revision.spec().lifecycle},
         {"owned", api::owned_by(revision.object->metadata, snapshot.variant->metadata.uid)}}));
  std::vector<json::Member> members{
      {"name", snapshot.variant->metadata.name},
      {"revisions", Value::array(std::move(revisions))},
      {"decision",
       Value::object({{"step", variants::name(decision.step)}, {"reason", decision.reason}})}};
  for (const char* side : {"upstream", "downstream"})
    if (const Value* package = variant["spec"].find(side)) members.push_back({side, *package});
  if (const Value* conditions = variant["status"].find("conditions"))
    members.push_back({"conditions", *conditions});
  return Value::object(std::move(members));
}

}  // namespace

Result<Exit> run_explain(const ExplainOptions& asked, Context& context) {
  ExplainOptions options = asked;
  if (!options.object.empty()) options.name = fmt::format("{}/{}", asked.name, asked.object);
  auto opened = engine::Engine::read(context);
  if (options.field.empty()) {
    PORTICO_TRY(const auto kind,
                explained_kind(options, opened ? &(*opened)->registry() : nullptr));
    // A variant with the name of a kind takes precedence.
    const krm::ObjectKey variant{api::variant_kind(), context.globals.ns, options.name};
    if (kind && !(opened && (*opened)->registry().get(variant))) {
      context.terminal.write(*kind);
      return 0;
    }
  }
  // The name may have a type, as -o name prints it; with --field also that of a package revision.
  if (const std::size_t slash = options.name.find('/'); slash != std::string::npos) {
    PORTICO_TRY(const auto kind, resources::find_kind(options.name.substr(0, slash), {}));
    const bool can =
        kind == api::variant_kind() || (!options.field.empty() && kind == api::revision_kind());
    if (!can)
      return invalid("explain supports packagevariants{}, not {}",
                     options.field.empty() ? "" : " and packagerevisions", resources::plural(kind));
    options.name = options.name.substr(slash + 1);
  }
  PORTICO_TRY(const auto engine, std::move(opened));
  if (!options.field.empty()) return explain_field(*engine, options, context);
  const krm::ObjectKey key{api::variant_kind(), context.globals.ns, options.name};
  controllers::Caches caches;
  PORTICO_TRY(const auto snapshot,
              controllers::observe_variant(key, engine->registry(), caches, engine->clock().now()));
  if (!snapshot) return nothing_to_explain(options.name, context.globals.ns, engine->registry());
  const variants::Decision decision = variants::decide(*snapshot);
  Terminal& out = context.terminal;
  if (options.output == "json") {
    out.print("{}\n", json::print_pretty(to_json(*snapshot, decision)));
    return 0;
  }
  const api::PackageVariantSpec& spec = snapshot->variant->spec;
  out.print("{} {}\n", out.paint(Colour::kBold, "variant"), options.name);
  if (spec.upstream) out.print("upstream   {}/{}", spec.upstream->repo, spec.upstream->package);
  if (const auto& upstream = snapshot->variant->status.upstream)
    out.print(" at {} (commit {})", upstream->package_revision, upstream->commit.substr(0, 12));
  out.write("\n");
  if (spec.downstream)
    out.print("downstream {}/{}\n", spec.downstream->repo, spec.downstream->package);
  std::vector<Value> owned;
  for (const variants::Revision& revision : snapshot->downstreams) {
    const bool own = api::owned_by(revision.object->metadata, snapshot->variant->metadata.uid);
    const Value object = api::encode(*revision.object);
    PORTICO_TRY(const auto siblings, siblings_of(engine->registry(), object));
    const std::string stale = stale_note(object, siblings);
    out.print("  {} {} {}{}{}\n", revision.name(), revision.spec().lifecycle,
              own ? "owned" : "not owned", stale.empty() ? "" : ": ", stale);
    if (own) owned.push_back(object);
  }
  for (const variants::InjectedState& injected : snapshot->injected)
    out.print("injected   {} {}{}\n", injected.kind, injected.name,
              injected.uid.empty() ? " (not found)" : "");
  const std::string now = engine->now();
  for (const api::Condition& condition : snapshot->variant->status.conditions)
    out.print("condition  {}={} {} for {}: {}\n", condition.type, condition.status,
              condition.reason, resources::age(condition.last_transition_time, now),
              condition.message);
  PORTICO_DO(print_tries(engine->registry(), *snapshot->variant, now, out));
  for (const std::string& note : notes_of(api::encode(*snapshot->variant), newest_of(owned)))
    out.print("note       {}\n", note);
  out.print("decision   {}: {}\n", variants::name(decision.step), decision.reason);
  return 0;
}

}  // namespace portico::cli
