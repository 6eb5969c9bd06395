#include <algorithm>
#include <optional>
#include <set>

#include "api/kinds.h"
#include "apply/last_applied.h"
#include "cli/asked.h"
#include "cli/changing.h"
#include "cli/commands.h"
#include "cli/custom_output.h"
#include "cli/definitions.h"
#include "cli/dependants.h"
#include "cli/plan_text.h"
#include "cli/printer.h"
#include "cli/variant_upstreams.h"
#include "cli/watching.h"
#include "controllers/events.h"
#include "engine/engine.h"
#include "engine/manifests.h"
#include "resources/resources.h"
#include "resources/state.h"
#include "resources/table.h"

namespace portico::cli {

using json::Value;

namespace {

// The stored versions of the objects in the manifests.
Result<std::vector<Value>> stored_of(const registry::Registry& registry,
                                     const std::vector<std::string>& files, const std::string& ns) {
  PORTICO_TRY(const auto manifests, engine::read_manifests(files, ns));
  std::vector<Value> out;
  for (const engine::Manifest& manifest : manifests) {
    PORTICO_TRY(Value object, registry.get(krm::object_key(manifest.object)), manifest.source);
    out.push_back(std::move(object));
  }
  return out;
}

Result<std::vector<Value>> objects_to_get(const registry::Registry& registry,
                                          const GetOptions& options, const std::string& ns) {
  if (options.type.empty() == options.files.empty())
    return invalid("must specify what to get: a type with or without names, or -f FILE");
  if (!options.files.empty()) return stored_of(registry, options.files, ns);
  PORTICO_TRY(const auto asked, asked_of(options.type, options.names, registry));
  const Selection selection{options.all_namespaces ? std::string() : ns, options.selector,
                            options.fields};
  std::vector<Value> out;
  for (const Asked& each : asked) {
    PORTICO_TRY(auto found, find_objects(registry, each, selection));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out += "  " + text.substr(at, end - at);
    at = end;
  }
  return out;
}

// Hides the bookkeeping of apply.
bool is_told(std::string_view annotation) { return annotation != apply::kLastApplied; }

void describe(const Value& object, const std::vector<Value>& events, const std::string& now,
              Terminal& out) {
  const auto section = [&](const char* title, const Value& value) {
    if (!value.empty()) out.print("{}:\n{}", title, indented(to_yaml(value)));
  };
  out.print("{}\n", out.paint(Colour::kBold, resources::name_line(object)));
  std::vector<std::vector<std::string>> head{
      {"Namespace:", std::string(krm::namespace_of(object))},
      {"Age:", resources::age(object["metadata"]["creationTimestamp"].as_string(), now)},
      {"State:", resources::state_of(object)}};
  if (std::string tries = resources::tries_of(object, now); !tries.empty())
    head.push_back({"Tries:", std::move(tries)});
  out.write(terminal::table(head));
  std::vector<json::Member> annotations;
  for (const json::Member& member : object["metadata"]["annotations"].members())
    if (is_told(member.name())) annotations.push_back(member);
  section("Labels", object["metadata"]["labels"]);
  section("Annotations", Value::object(std::move(annotations)));
  section("Spec", object["spec"]);
  // For a Secret, print only the size of each value.
  if (krm::group_kind(object) == krm::GroupKind{"", "Secret"}) {
    std::vector<std::vector<std::string>> sizes;
    for (const json::Member& member : object["data"].members())
      sizes.push_back({"  " + std::string(member.name()) + ":",
                       fmt::format("{} characters", member.value.as_string().size())});
    out.print("Data:\n{}", terminal::table(sizes));
  } else {
    section("Data", object["data"]);
  }
  if (const Value& conditions = object["status"]["conditions"]; conditions.size() > 0) {
    std::vector<std::vector<std::string>> rows{{"  TYPE", "STATUS", "AGE", "REASON", "MESSAGE"}};
    for (const Value& condition : conditions.items())
      rows.push_back({"  " + std::string(condition["type"].as_string()),
                      std::string(condition["status"].as_string()),
                      resources::age(condition["lastTransitionTime"].as_string(), now),
                      std::string(condition["reason"].as_string()),
                      std::string(condition["message"].as_string())});
    out.print("Conditions:\n{}", terminal::table(rows));
  }
  section("Status", object["status"].without("conditions"));
  if (!events.empty()) {
    std::vector<std::vector<std::string>> rows{{"  TYPE", "REASON", "AGE", "MESSAGE"}};
    for (const Value& event : events) {
      std::string seen = resources::age(event["lastTimestamp"].as_string(), now);
      if (const std::int64_t count = event["count"].as_int(); count > 1)
        seen += fmt::format(" (x{} over {})", count,
                            resources::age(event["firstTimestamp"].as_string(), now));
      rows.push_back({"  " + std::string(event["type"].as_string()),
                      std::string(event["reason"].as_string()), std::move(seen),
                      std::string(event["message"].as_string())});
    }
    out.print("Events:\n{}", terminal::table(rows));
  }
  out.write("\n");
}

}  // namespace

Result<Exit> run_get(const GetOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  if (options.watch) PORTICO_DO(check_watch(engine->registry(), options));
  const registry::ResourceVersion from = options.watch ? engine->registry().version() : 0;
  PORTICO_TRY(auto objects, objects_to_get(engine->registry(), options, context.globals.ns));
  if (objects.empty() && options.watch)
    return watch_objects(*engine, options, objects, from, context);
  if (objects.empty() && options.output.empty()) {
    context.terminal.error(options.all_namespaces
                               ? "no resources found"
                               : "no resources found in namespace " + context.globals.ns);
    return 0;
  }
  if (!options.sort_by.empty()) PORTICO_DO(sort_objects(objects, options.sort_by));
  const bool pairs = options.type.find('/') != std::string::npos;
  const bool kinds = std::any_of(objects.begin(), objects.end(), [&](const Value& object) {
    return krm::group_kind(object) != krm::group_kind(objects[0]);
  });
  std::optional<MoreColumns> upstreams;
  if (options.output == "wide") {
    PORTICO_TRY(upstreams, upstream_columns(engine->registry(), objects));
  }
  std::vector<Value> definitions;
  if (options.output.empty() || options.output == "wide")
    definitions = definitions_of(engine->registry(), objects);
  PORTICO_TRY(const std::string text,
              print_objects(objects,
                            {.output = options.output,
                             .namespaces = options.all_namespaces,
                             .no_headers = options.no_headers,
                             .one = options.names.size() + (pairs ? 1 : 0) == 1,
                             .show_labels = options.show_labels,
                             .with_kind = kinds,
                             .more = upstreams ? &*upstreams : nullptr,
                             .definitions = std::move(definitions),
                             .terminal = &context.terminal},
                            engine->now()));
  context.terminal.write(text);
  return options.watch ? watch_objects(*engine, options, objects, from, context) : Result<Exit>(0);
}

Result<Exit> run_describe(const DescribeOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  const registry::Registry& registry = engine->registry();
  PORTICO_TRY(const auto asked, asked_of(options.type, options.names, registry));
  bool any = false;
  for (const Asked& each : asked) {
    PORTICO_TRY(const auto objects,
                find_objects(registry, each, {context.globals.ns, options.selector, ""}));
    any |= !objects.empty();
    for (const Value& object : objects) {
      PORTICO_TRY(const auto events, controllers::events_of(registry, object));
      describe(object, events, engine->now(), context.terminal);
    }
  }
  if (!any) context.terminal.error("no resources found in namespace " + context.globals.ns);
  return 0;
}

namespace {

// Accepts only one way to select objects, to prevent accidental deletions.
Result<Done> check_delete(const DeleteOptions& options) {
  const bool names = !options.names.empty() || options.type.find('/') != std::string::npos;
  const bool selector = !options.selector.empty();
  if (options.files.empty() && options.type.empty())
    return invalid("must specify what to delete: a type with names, -l or --all, or -f FILE");
  if (!options.files.empty() && (!options.type.empty() || selector || options.all))
    return invalid("-f cannot be combined with a type, names, -l or --all");
  if (names + selector + options.all > 1)
    return invalid("names, -l and --all are mutually exclusive");
  if (options.files.empty() && names + selector + options.all == 0)
    return invalid("must specify what to delete: names, -l or --all");
  return Done{};
}

Result<std::vector<Value>> to_delete(const DeleteOptions& options, const std::string& ns,
                                     registry::Registry& registry) {
  std::vector<Value> out;
  if (!options.files.empty()) {
    PORTICO_TRY(const auto manifests, engine::read_manifests(options.files, ns));
    for (const engine::Manifest& manifest : manifests) out.push_back(manifest.object);
  } else {
    PORTICO_TRY(const auto asked, asked_of(options.type, options.names, registry));
    for (const Asked& each : asked) {
      for (const std::string& name : each.names)
        out.push_back(
            Value::object({{"kind", each.kind.kind}})
                .with("apiVersion", each.kind.group.empty() ? "v1" : each.kind.group + "/v1")
                .with_at({"metadata", "name"}, name)
                .with_at({"metadata", "namespace"}, ns));
      if (!each.names.empty()) continue;
      PORTICO_TRY(auto found, find_objects(registry, each, {ns, options.selector, ""}));
      out.insert(out.end(), found.begin(), found.end());
    }
  }
  for (const Value& object : out)
    if (krm::group_kind(object) == api::revision_kind())
      return invalid("package revisions are deleted with: portico rpkg delete NAME");
  return out;
}

// Prevents the accidental deletion of a repository that is in use.
Result<Done> check_dependants(const registry::Registry& registry, const std::vector<Value>& objects,
                              bool force, Terminal& terminal) {
  std::set<krm::ObjectKey> going;
  for (const Value& object : objects) going.insert(krm::object_key(object));
  for (const krm::ObjectKey& key : going) {
    if (key.type != api::repository_kind() || !registry.get(key)) continue;
    PORTICO_TRY(const Dependants dependants, dependants_of(registry, key, going));
    print_dependants(dependants, terminal);
    if (dependants.any() && !force) return needs_force(dependants);
  }
  return Done{};
}

}  // namespace

namespace {

// Whether the deletion can remove packages or make them invisible.
bool takes_packages(const DeleteOptions& options) {
  if (!options.files.empty()) return true;
  // Types occur in "pv", "cm,pv", and in "cm/a" with "pv/b" among the names.
  std::vector<std::string> words{options.type};
  for (const std::string& name : options.names)
    if (name.find('/') != std::string::npos) words.push_back(name);
  for (std::string_view rest : words)
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      const auto kind =
          resources::find_kind(std::string(rest.substr(0, std::min(end, rest.find('/')))), {});
      if (kind && (*kind == api::variant_kind() || *kind == api::variant_set_kind() ||
                   *kind == api::repository_kind()))
        return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  return false;
}

// Shows what happens to the packages, then asks for confirmation.
Result<bool> agreed(const DeleteOptions& options, Context& context) {
  if (options.dry_run || options.yes || !context.terminal.can_ask() || !takes_packages(options))
    return true;
  DeleteOptions rehearsed = options;
  rehearsed.dry_run = true;
  PORTICO_TRY(const Exit shown, run_delete(rehearsed, context));
  static_cast<void>(shown);
  return context.terminal.ask("delete it?", context.stop());
}

// The objects to wait for: the deleted ones, their controllers, and the repositories of revisions,
// which a deleted revision can no longer name.
std::set<krm::ObjectKey> waited_for(const std::vector<Value>& objects) {
  std::set<krm::ObjectKey> out = keys_of(objects);
  for (const Value& object : objects) {
    for (const krm::OwnerReference& owner : krm::owners_of(object))
      if (owner.controller)
        out.insert({{krm::group_version(owner.api_version).group, owner.kind},
                    std::string(krm::namespace_of(object)),
                    owner.name});
    if (krm::group_kind(object) == api::revision_kind())
      out.insert({api::repository_kind(), std::string(krm::namespace_of(object)),
                  std::string(object["spec"]["repository"].as_string())});
  }
  return out;
}

}  // namespace

Result<Exit> run_delete(const DeleteOptions& options, Context& context) {
  PORTICO_DO(check_delete(options));
  PORTICO_TRY(const bool wanted, agreed(options, context));
  if (!wanted) return 1;
  PORTICO_TRY(const auto engine,
              options.dry_run ? engine::Engine::read(context) : engine::Engine::open(context));
  registry::Registry& registry = engine->registry();
  PORTICO_TRY(const auto objects, to_delete(options, context.globals.ns, registry));
  PORTICO_DO(
      check_dependants(registry, objects, options.force || options.dry_run, context.terminal));
  if (objects.empty()) context.terminal.error("no resources found");
  engine::Rehearsed rehearsed;
  if (options.dry_run) {
    engine::Changes changes;
    changes.ns = context.globals.ns;
    changes.remove = objects;
    PORTICO_TRY(rehearsed, engine->rehearse(changes, context.terminal));
  }
  Exit exit = 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Value& object = objects[i];
    std::optional<Error> kept;
    if (options.dry_run) {
      kept = rehearsed.removed[i];
    } else {
      const auto deleted = registry.commit(
          {{registry::Verb::kDelete, object.without_at({"metadata", "resourceVersion"})}});
      if (!deleted) kept = deleted.error();
      if (kept && kept->code == Code::kNotFound)
        kept = not_found("{} \"{}\" not found in namespace \"{}\"",
                         resources::plural(krm::group_kind(object)), krm::name_of(object),
                         krm::namespace_of(object));
    }
    if (!kept) {
      context.terminal.print("{} deleted{}\n", resources::name_line(object),
                             options.dry_run ? " (dry run)" : "");
    } else if (kept->code != Code::kNotFound || !options.ignore_not_found) {
      context.terminal.error(kept->text());
      exit = 1;
    }
  }
  if (options.dry_run) {
    const controllers::Plan& plan = rehearsed.plan;
    print_plan(context.terminal, plan, {.diffs = false, .most_variants = 0});
    context.terminal.print("{}; nothing was written\n", plan_counts(plan, false));
    return plan.failed() ? 1 : exit;
  }
  return reconcile_if_known(*engine, options.wait, waited_for(objects), exit, context);
}

}  // namespace portico::cli
