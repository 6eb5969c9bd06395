#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/kinds.h"
#include "cli/changing.h"
#include "cli/commands.h"
#include "cli/conflicts.h"
#include "cli/custom_output.h"
#include "cli/plan_text.h"
#include "cli/printer.h"
#include "cli/revisions.h"
#include "controllers/following.h"
#include "engine/engine.h"
#include "engine/parallel.h"
#include "packages/base.h"
#include "packages/lifecycle.h"
#include "packages/lineage.h"

namespace portico::cli {

using drafts::DraftRequest;
using json::Value;

namespace {

Result<Exit> draft(engine::Engine& engine, const DraftRequest& request, Context& context) {
  PORTICO_TRY(const drafts::Drafted drafted, engine.drafts().draft(request));
  context.terminal.print("{} created\n", krm::name_of(drafted.object));
  if (!drafted.built.conflicts.empty())
    context.terminal.write(conflict_table(drafted.built.conflicts));
  return 0;
}

}  // namespace

namespace {

// For the table: whether a draft's base is no longer the published revision.
Result<Done> mark_stale(const registry::Registry& registry, std::vector<Value>& found) {
  for (Value& object : found) {
    if (!object["status"]["base"].is_object()) continue;
    PORTICO_TRY(const auto siblings, siblings_of(registry, object));
    if (packages::stale_base(object, siblings))
      object = object.with_at({"status", "base", "stale"}, true);
  }
  return Done{};
}

}  // namespace

Result<Exit> run_rpkg_get(const RpkgGetOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  const std::string ns = options.all_namespaces ? "" : context.globals.ns;
  std::vector<Value> found;
  if (!options.names.empty()) {
    for (const std::string& name : options.names) {
      PORTICO_TRY(Value object, engine->registry().get({api::revision_kind(), ns, name}));
      found.push_back(std::move(object));
    }
  } else {
    PORTICO_TRY(auto labels, krm::LabelSelector::parse(options.selector), "-l");
    PORTICO_TRY(
        registry::Listing all,
        engine->registry().list({.type = api::revision_kind(), .ns = ns, .labels = labels}));
    const auto differs = [](const std::string& asked, const Value& has) {
      return !asked.empty() && has.as_string() != asked;
    };
    for (Value& object : all.objects) {
      const Value& spec = object["spec"];
      if (differs(options.package, spec["packageName"]) ||
          differs(options.workspace, spec["workspaceName"]) ||
          differs(options.repository, spec["repository"]) ||
          differs(options.lifecycle, spec["lifecycle"]) ||
          (options.revision != kAnyRevision && spec["revision"].as_int() != options.revision))
        continue;
      found.push_back(std::move(object));
    }
  }
  if (found.empty() && options.output.empty()) {
    context.terminal.error(ns.empty() ? std::string("no package revisions found")
                                      : "no package revisions found in namespace " + ns);
    return 0;
  }
  // A package with a revision number also names a single revision.
  const bool one =
      options.names.size() == 1 ||
      (!options.package.empty() && options.revision != kAnyRevision && found.size() == 1);
  if (options.output == "wide") PORTICO_DO(mark_stale(engine->registry(), found));
  if (!options.sort_by.empty()) PORTICO_DO(sort_objects(found, options.sort_by));
  PORTICO_TRY(const std::string text, print_objects(found,
                                                    {.output = options.output,
                                                     .namespaces = options.all_namespaces,
                                                     .no_headers = options.no_headers,
                                                     .one = one,
                                                     .show_labels = options.show_labels,
                                                     .terminal = &context.terminal},
                                                    engine->now()));
  context.terminal.write(text);
  return 0;
}

Result<Exit> run_rpkg_init(const RpkgInitOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  DraftRequest request;
  request.ns = context.globals.ns;
  request.repository = options.repository;
  request.package = options.package;
  request.workspace = options.workspace;
  request.source = drafts::InitSource{options.description, options.site, options.keywords};
  request.only_if_changed = false;
  request.actor = engine::current_actor();
  return draft(*engine, request, context);
}

Result<Exit> run_rpkg_copy(const RpkgCopyOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  PORTICO_TRY(const Value source,
              engine->registry().get({api::revision_kind(), context.globals.ns, options.source}));
  DraftRequest request = sibling_of(source, options.workspace);
  request.source = drafts::CopySource{options.source};
  return draft(*engine, request, context);
}

namespace {

using packages::Transition;

struct Verb {
  Transition transition;
  const char* done;
  /// For a revision that has reached `goal` before, for example by this command before it was
  /// killed.
  const char* already;
  std::string_view goal;
};
constexpr Verb kVerbs[] = {
    {Transition::kPropose, "proposed", "is already proposed", api::kProposed},
    {Transition::kApprove, "approved", "is already published", api::kPublished},
    {Transition::kReject, "no longer proposed for approval", "", ""},
    {Transition::kProposeDeletion, "proposed for deletion", "is already proposed for deletion",
     api::kDeletionProposed},
    {Transition::kDelete, "deleted", "is already deleted", ""}};

// The head of a branch is "Published" but was never approved.
bool is_done(const Verb& verb, const Value& object) {
  return !verb.goal.empty() && object["spec"]["lifecycle"].as_string() == verb.goal &&
         object["spec"]["revision"].as_int() >= 0;
}

Result<Done> move(packages::Revisions& packages, Transition transition, const krm::ObjectKey& key,
                  const packages::Actor& actor) {
  if (transition == Transition::kDelete) return packages.remove(key, actor);
  const auto moved = transition == Transition::kPropose   ? packages.propose(key, actor)
                     : transition == Transition::kApprove ? packages.approve(key, actor)
                     : transition == Transition::kReject  ? packages.reject(key, actor)
                                                          : packages.propose_deletion(key, actor);
  if (!moved) return moved.error();
  return Done{};
}

enum class Moved { kNow, kBack, kBefore };  // kBack: a proposed deletion was taken back

// A change that was made before counts as done: either the stored object shows it, or, if the store
// lagged behind git, the object does now and still has the same content.
Result<Moved> move_or_find_done(engine::Engine& engine, const Verb& verb, const krm::ObjectKey& key,
                                const packages::Actor& actor) {
  const auto before = engine.registry().get(key);
  if (before && is_done(verb, *before)) return Moved::kBefore;
  const auto done = move(engine.packages(), verb.transition, key, actor);
  if (done && verb.transition == Transition::kReject && before &&
      (*before)["spec"]["lifecycle"].as_string() == api::kDeletionProposed)
    return Moved::kBack;
  if (done) return Moved::kNow;
  if (!before || done.error().code != Code::kConflict) return done.error();
  const auto now = engine.registry().get(key);
  const bool gone = !now && now.error().code == Code::kNotFound;
  if (gone && verb.transition == Transition::kDelete) return Moved::kBefore;
  if (now && is_done(verb, *now) && (*now)["status"]["tree"] == (*before)["status"]["tree"])
    return Moved::kBefore;
  return done.error();
}

// A proposal on an outdated base cannot be approved: warn while the user can still fix it.
void warn_of_base(engine::Engine& engine, const krm::ObjectKey& key, Terminal& terminal) {
  const auto object = engine.registry().get(key);
  if (!object) return;
  const auto siblings = siblings_of(engine.registry(), *object);
  if (!siblings) return;
  if (const std::string note = stale_note(*object, *siblings); !note.empty())
    terminal.warning(note);
}

// For bulk selection: whether the transition changes the revision. The head of a branch is never
// selected.
bool moves(Transition transition, const Value& object) {
  const Value& spec = object["spec"];
  if (spec["revision"].as_int() < 0) return false;
  const auto outcome =
      packages::outcome(transition, spec["lifecycle"].as_string(), spec["revision"].as_int());
  return outcome && *outcome != packages::Outcome::kNothing;
}

// Mostly waiting for remotes: changes that wait for the same repository share one push.
constexpr std::size_t kMovesAtOnce = 64;

// Revisions of one package are processed in sequence, in the requested order: the second one is
// based on the outcome of the first.
std::vector<std::vector<std::size_t>> by_package(const registry::Registry& registry,
                                                 const std::string& ns,
                                                 const std::vector<std::string>& names) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> lanes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto object = registry.get({api::revision_kind(), ns, names[i]});
    std::pair<std::string, std::string> package("", names[i]);  // does not exist: a lane of its own
    if (object)
      package = {std::string((*object)["spec"]["repository"].as_string()),
                 std::string((*object)["spec"]["packageName"].as_string())};
    lanes[package].push_back(i);
  }
  std::vector<std::vector<std::size_t>> out;
  for (auto& [package, items] : lanes) out.push_back(std::move(items));
  return out;
}

Result<std::vector<std::string>> select(engine::Engine& engine, Transition transition,
                                        const RpkgLifecycleOptions& options,
                                        const std::string& ns) {
  const bool selects = !options.selector.empty() || !options.variants_of.empty() ||
                       !options.repository.empty() || !options.lifecycle.empty() || options.all;
  if (!options.names.empty() && selects)
    return invalid("names cannot be provided when a selection is specified");
  if (!options.names.empty()) return options.names;
  PORTICO_TRY(auto labels, krm::LabelSelector::parse(options.selector), "-l");
  if (!selects)
    return invalid(
        "must specify package revisions, or select them with -l, --set, --repository, --lifecycle "
        "or --all");
  for (const auto& [name, kind] : {std::pair(options.variants_of, api::variant_set_kind()),
                                   std::pair(options.repository, api::repository_kind())}) {
    if (name.empty()) continue;
    if (const auto there = engine.registry().get({kind, ns, name}); !there) return there.error();
  }
  PORTICO_TRY(const registry::Listing all,
              engine.registry().list({.type = api::revision_kind(), .ns = ns, .labels = labels}));
  std::vector<std::string> out;
  for (const Value& object : all.objects) {
    if (!moves(transition, object)) continue;
    const Value& spec = object["spec"];
    if (!options.repository.empty() && spec["repository"].as_string() != options.repository)
      continue;
    if (!options.lifecycle.empty() && spec["lifecycle"].as_string() != options.lifecycle) continue;
    if (!options.variants_of.empty() &&
        packages::set_of(engine.registry(), object) != options.variants_of)
      continue;
    out.emplace_back(krm::name_of(object));
  }
  return out;
}

std::set<krm::ObjectKey> keys_of(const std::vector<std::string>& names, const std::string& ns) {
  std::set<krm::ObjectKey> out;
  for (const std::string& name : names) out.insert({api::revision_kind(), ns, name});
  return out;
}

// The variants of the revisions' packages. Must be read before the change: a deleted revision no
// longer names its package. Empty if the user may not list variants.
std::set<krm::ObjectKey> variants_of(const registry::Registry& registry,
                                     const std::set<krm::ObjectKey>& revisions) {
  auto followed = controllers::following(registry, revisions);
  if (!followed) return {};
  std::erase_if(*followed,
                [](const krm::ObjectKey& key) { return key.type != api::variant_kind(); });
  return *std::move(followed);
}

// The objects to wait for: the moved revisions, and for deleted ones the variants of their
// packages.
Result<std::set<krm::ObjectKey>> moved_objects(const registry::Registry& registry,
                                               std::set<krm::ObjectKey> revisions,
                                               const std::set<krm::ObjectKey>& variants) {
  bool gone = false;
  for (const krm::ObjectKey& key : revisions) {
    const auto now = registry.get(key);
    if (!now && now.error().code != Code::kNotFound) return now.error();
    gone = gone || !now;
  }
  if (gone) revisions.insert(variants.begin(), variants.end());
  return revisions;
}

}  // namespace

Result<Exit> run_rpkg_lifecycle(const RpkgLifecycleOptions& options, Context& context) {
  const auto verb = std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& each) {
    return options.verb == packages::name(each.transition);
  });
  if (verb == std::end(kVerbs)) return internal("no verb \"{}\"", options.verb);
  std::vector<std::string> names;
  // Lists a bulk selection before anything is done. Do not hold the write lock while the user
  // decides.
  const bool asks = options.names.empty() && !options.yes && context.terminal.can_ask();
  if (asks) {
    PORTICO_TRY(const auto reader, engine::Engine::read(context));
    PORTICO_TRY(names, select(*reader, verb->transition, options, context.globals.ns));
    for (const std::string& name : names) context.terminal.print("{}\n", name);
    if (!names.empty() &&
        !context.terminal.ask(
            fmt::format("{} {}?", options.verb, counted(names.size(), "package revision")),
            context.stop()))
      return 1;
  }
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  if (!asks) {
    PORTICO_TRY(names, select(*engine, verb->transition, options, context.globals.ns));
  }
  Exit exit = 0;
  const auto key_of = [&](const std::string& name) {
    return krm::ObjectKey{api::revision_kind(), context.globals.ns, name};
  };
  const std::set<krm::ObjectKey> revisions = keys_of(names, context.globals.ns);
  const std::set<krm::ObjectKey> variants =
      options.wait.wait ? variants_of(engine->registry(), revisions) : std::set<krm::ObjectKey>();
  const packages::Actor actor = engine::current_actor();
  std::vector<Result<Moved>> results(names.size(), Moved::kNow);
  engine::in_parallel(
      by_package(engine->registry(), context.globals.ns, names), kMovesAtOnce,
      [&](std::size_t i) {
        results[i] = move_or_find_done(*engine, *verb, key_of(names[i]), actor);
      },
      [&](std::size_t done) { context.terminal.progress(options.verb, done, names.size()); });
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const krm::ObjectKey key = key_of(name);
    const Result<Moved>& done = results[i];
    if (done && options.output == "name") {
      context.terminal.print("packagerevision.{}/{}\n", api::kPorchGroup, name);
    } else if (done) {
      if (*done == Moved::kBefore)
        context.terminal.note(fmt::format("{} {}\n", name, verb->already));
      else
        context.terminal.print(
            "{} {}\n", name, *done == Moved::kNow ? verb->done : "no longer proposed for deletion");
    } else if (done.error().code != Code::kNotFound || !options.ignore_not_found) {
      context.terminal.error(fmt::format("{} failed ({})", name, done.error().text()));
      exit = 1;
    }
    if (done && verb->transition == Transition::kPropose)
      warn_of_base(*engine, key, context.terminal);
  }
  if (names.empty() && options.output.empty())
    context.terminal.print("nothing to {}\n", options.verb);
  if (!options.wait.wait || names.empty()) return exit;
  PORTICO_TRY(const auto asked, moved_objects(engine->registry(), revisions, variants));
  return reconcile_if_asked(*engine, options.wait, asked, exit, context);
}

}  // namespace portico::cli
