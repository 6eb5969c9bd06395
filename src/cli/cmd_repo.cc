#include <algorithm>
#include <optional>
#include <string_view>

#include "admission/admission.h"
#include "api/kinds.h"
#include "base/absolute_path.h"
#include "base/hash.h"
#include "cli/changing.h"
#include "cli/commands.h"
#include "cli/dependants.h"
#include "cli/plan_text.h"
#include "cli/printer.h"
#include "engine/engine.h"
#include "engine/sync_again.h"
#include "resources/resources.h"
#include "resources/state.h"

namespace portico::cli {

using json::Member;
using json::Value;

namespace {

// The last segment of a URL without ".git", porchctl's name for a repository.
std::string name_of_url(const std::string& url) {
  std::string path = url.substr(0, url.find_last_not_of('/') + 1);
  path = path.substr(path.find_last_of("/:") + 1);
  if (path.ends_with(".git")) path.resize(path.size() - 4);
  return path;
}

// Makes a path independent of the working directory.
Result<std::string> absolute_url(const std::string& url) {
  if (url.find(':') != std::string::npos) return url;
  return absolute_path(url);
}

// `register` creates a Secret for a login; `unregister` recognizes it by this label.
constexpr std::string_view kManagedBy = "app.kubernetes.io/managed-by";
constexpr std::string_view kUs = "portico";

std::string auth_secret_of(std::string_view repository) {
  return std::string(repository) + "-auth";
}

Value auth_secret(const RepoRegisterOptions& options, const std::string& name,
                  const std::string& ns) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Secret"},
       {"metadata", Value::object({{"name", auth_secret_of(name)},
                                   {"namespace", ns},
                                   {"labels", Value::object({{kManagedBy, kUs}})}})},
       {"type", "kubernetes.io/basic-auth"},
       {"data", Value::object({{"username", base64_encode(options.username)},
                               {"password", base64_encode(options.password)}})}});
}

// Stores the Secret first, then the repository; removes the Secret again if the repository fails.
Result<Value> store_new(registry::Registry& registry, const Value& repository,
                        const std::optional<Value>& secret) {
  if (secret) {
    const auto made = registry.commit({{registry::Verb::kCreate, *secret}});
    if (!made && made.error().reason == Reason::kAlreadyExists)
      return conflict("Secret \"{0}\" already exists; use it with --secret {0}, or delete it first",
                      krm::name_of(*secret))
          .because(Reason::kAlreadyExists);
    if (!made) return made.error();
  }
  auto stored = registry.commit({{registry::Verb::kCreate, repository}});
  if (stored) return (*stored)[0];
  if (secret) (void)registry.commit({{registry::Verb::kDelete, *secret}});
  return std::move(stored).error();
}

// To be called after the repository is deleted; keeps a Secret that another repository uses.
Result<Done> remove_auth_secret(registry::Registry& registry, const Value& repository) {
  const std::string ns(krm::namespace_of(repository)),
      name(repository["spec"]["git"]["secretRef"]["name"].as_string());
  if (name != auth_secret_of(krm::name_of(repository))) return Done{};
  const auto secret = registry.get({{"", "Secret"}, ns, name});
  if (!secret && secret.error().code == Code::kNotFound) return Done{};
  if (!secret) return secret.error();
  if ((*secret)["metadata"]["labels"][kManagedBy].as_string() != kUs) return Done{};
  PORTICO_TRY(const registry::Listing others,
              registry.list({.type = api::repository_kind(), .ns = ns}));
  for (const Value& other : others.objects)
    if (other["spec"]["git"]["secretRef"]["name"].as_string() == name) return Done{};
  PORTICO_DO(registry.commit({{registry::Verb::kDelete, *secret}}));
  return Done{};
}

}  // namespace

Result<Exit> run_repo_register(const RepoRegisterOptions& options, Context& context) {
  const std::string name = options.name.empty() ? name_of_url(options.url) : options.name;
  PORTICO_TRY(const std::string url, absolute_url(options.url));
  std::vector<Member> git{{"repo", url}, {"branch", options.branch}};
  if (!options.directory.empty()) git.push_back({"directory", options.directory});
  const std::string secret = options.username.empty() ? options.secret : auth_secret_of(name);
  if (!secret.empty()) git.push_back({"secretRef", Value::object({{"name", secret}})});
  if (options.create_branch) git.push_back({"createBranch", true});
  std::vector<Member> spec{{"type", "git"}, {"git", Value::object(std::move(git))}};
  if (!options.description.empty()) spec.push_back({"description", options.description});
  if (options.deployment) spec.push_back({"deployment", true});
  if (!options.sync_schedule.empty())
    spec.push_back({"sync", Value::object({{"schedule", options.sync_schedule}})});
  std::vector<Member> labels;
  for (const std::string& label : options.labels) {
    const std::size_t equals = label.find('=');
    if (equals == std::string::npos) return invalid("--label: \"{}\" is not key=value", label);
    labels.push_back({Value(label.substr(0, equals)), Value(label.substr(equals + 1))});
  }
  std::vector<Member> metadata{{"name", name}, {"namespace", context.globals.ns}};
  if (!labels.empty()) metadata.push_back({"labels", Value::object(std::move(labels))});
  PORTICO_TRY(const admission::Admitted admitted,
              admission::admit(Value::object({{"apiVersion", api::kConfigV1Alpha1},
                                              {"kind", api::kRepositoryKind},
                                              {"metadata", Value::object(std::move(metadata))},
                                              {"spec", Value::object(std::move(spec))}})));
  PORTICO_DO(admission::judge(Value(), admitted.object));

  std::optional<Value> login;
  if (!options.username.empty()) login = auth_secret(options, name, context.globals.ns);
  if (!options.no_check) {
    // git may take long: read without the write lock.
    PORTICO_TRY(const auto reader, engine::Engine::read(context));
    auto readable = reader->packages().check(admitted.object, login.value_or(Value()));
    if (!readable) {
      context.terminal.hint(
          "nothing was registered; use --no-check to register it without reading it first");
      return std::move(readable).error();
    }
  }
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  PORTICO_TRY(const Value stored, store_new(engine->registry(), admitted.object, login));
  context.terminal.print("{} registered\n", resources::name_line(stored));
  if (!options.wait.wait) return 0;
  PORTICO_TRY(const auto done, settle_if_known(*engine, {krm::object_key(stored)}, context));
  if (!done) return 0;
  PORTICO_TRY(const Value now, engine->registry().get(krm::object_key(stored)));
  if (resources::condition_status(now, api::kReady) != "True") {
    context.terminal.error(resources::state_of(now));
    return 1;
  }
  context.terminal.print(
      "{} found\n",
      counted(static_cast<std::size_t>(now["status"]["packageCount"].as_int()), "package"));
  return print_done(context.terminal, *done);
}

namespace {

Result<std::vector<Value>> named(engine::Engine& engine, const RepoNamesOptions& options,
                                 const std::string& ns) {
  if (options.all) {
    PORTICO_TRY(registry::Listing all,
                engine.registry().list({.type = api::repository_kind(), .ns = ns}));
    return std::move(all.objects);
  }
  std::vector<Value> out;
  for (const std::string& name : options.names) {
    PORTICO_TRY(Value object, engine.registry().get({api::repository_kind(), ns, name}));
    out.push_back(std::move(object));
  }
  if (out.empty()) return invalid("must specify repository names or --all");
  return out;
}

}  // namespace

Result<Exit> run_repo_sync(const RepoNamesOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  PORTICO_TRY(const auto repositories, named(*engine, options, context.globals.ns));
  Exit exit = 0;
  for (const Value& repository : repositories) {
    const auto found = options.wait.wait
                           ? engine::sync_again(engine->packages(), repository, context.stop())
                           : engine->packages().sync(repository);
    if (found && options.output == "name") {
      context.terminal.print("{}\n", resources::name_line(repository));
    } else if (found) {
      context.terminal.print("{} synced: {}, {}, {} changed\n", resources::name_line(repository),
                             counted(found->packages, "package"),
                             counted(found->revisions, "revision"), found->written);
    } else {
      context.terminal.error(found.error().text());
      exit = 1;
    }
  }
  return reconcile_if_asked(*engine, options.wait, keys_of(repositories), exit, context);
}

namespace {

Result<Done> unregister(registry::Registry& registry, const Value& repository) {
  PORTICO_DO(registry.commit({{registry::Verb::kDelete, repository}}));
  return Done{};
}

Result<Exit> rehearse_unregister(engine::Engine& engine, const std::vector<Value>& repositories,
                                 Context& context) {
  engine::Changes changes;
  changes.ns = context.globals.ns;
  changes.remove = repositories;
  PORTICO_TRY(const engine::Rehearsed rehearsed, engine.rehearse(changes, context.terminal));
  for (std::size_t i = 0; i < repositories.size(); ++i) {
    if (rehearsed.removed[i]) return *rehearsed.removed[i];
    context.terminal.print("{} unregistered (dry run)\n", resources::name_line(repositories[i]));
  }
  const controllers::Plan& plan = rehearsed.plan;
  print_plan(context.terminal, plan, {.diffs = false, .most_variants = 0});
  context.terminal.print("{}; nothing was written\n", plan_counts(plan, false));
  return plan.failed() ? 1 : 0;
}

}  // namespace

Result<Exit> run_repo_unregister(const RepoUnregisterOptions& options, Context& context) {
  if (!options.dry_run && !options.yes && context.terminal.can_ask()) {
    RepoUnregisterOptions rehearsed = options;
    rehearsed.dry_run = true;
    PORTICO_TRY(const Exit shown, run_repo_unregister(rehearsed, context));
    static_cast<void>(shown);
    if (!context.terminal.ask("unregister it?", context.stop())) return 1;
  }
  PORTICO_TRY(const auto engine,
              options.dry_run ? engine::Engine::read(context) : engine::Engine::open(context));
  PORTICO_TRY(const auto repositories,
              named(*engine, {.names = options.names, .all = false, .output = {}, .wait = {}},
                    context.globals.ns));
  for (const Value& repository : repositories) {
    PORTICO_TRY(const Dependants dependants,
                dependants_of(engine->registry(), krm::object_key(repository), {}));
    print_dependants(dependants, context.terminal);
    if (dependants.any() && !options.force && !options.dry_run) return needs_force(dependants);
  }
  if (options.dry_run) return rehearse_unregister(*engine, repositories, context);
  Exit exit = 0;
  for (const Value& repository : repositories) {
    PORTICO_DO(unregister(engine->registry(), repository));
    PORTICO_DO(
        engine->packages().forget(context.globals.ns, std::string(krm::name_of(repository))));
    context.terminal.print("{} unregistered; its git repository is unchanged\n",
                           resources::name_line(repository));
    if (options.keep_secret) continue;
    if (const auto removed = remove_auth_secret(engine->registry(), repository); !removed) {
      context.terminal.error(fmt::format("Secret \"{}\" was not deleted, delete it: {}",
                                         auth_secret_of(krm::name_of(repository)),
                                         removed.error().text()));
      exit = 1;
    }
  }
  return reconcile_if_known(*engine, options.wait, keys_of(repositories), exit, context);
}

}  // namespace portico::cli
