#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/conflicts.h"
#include "cli/revisions.h"
#include "engine/engine.h"
#include "krm/lifecycle.h"
#include "merge/on_conflict.h"
#include "packages/base.h"

namespace portico::cli {

using drafts::DraftRequest;
using json::Value;

namespace {

Result<Exit> done(const drafts::Drafted& drafted, std::string_view said, Context& context) {
  context.terminal.print("{}\n", said);
  if (!drafted.built.conflicts.empty())
    context.terminal.write(conflict_table(drafted.built.conflicts));
  return 0;
}

// Changes a draft in place; copies a published revision.
Result<Exit> name_upstream(engine::Engine& engine, const Value& object,
                           const RpkgRebaseOptions& options, Context& context) {
  const auto lifecycle = krm::parse_lifecycle(object["spec"]["lifecycle"].as_string());
  const bool draft = lifecycle == krm::Lifecycle::kDraft;
  if (draft && !options.workspace.empty())
    return invalid("{} is a draft, which is changed in place; omit --workspace", options.name);
  if (!draft && options.workspace.empty())
    return invalid("{} is {}; specify the workspace of a new draft with --workspace", options.name,
                   object["spec"]["lifecycle"].as_string());
  DraftRequest request = sibling_of(
      object, draft ? std::string(object["spec"]["workspaceName"].as_string()) : options.workspace);
  if (draft) request.draft = options.name;
  request.only_if_changed = draft;
  request.source = drafts::OriginSource{options.name, options.onto};
  PORTICO_TRY(const drafts::Drafted drafted, engine.drafts().draft(request));
  if (drafted.object.is_null())
    return done(drafted,
                fmt::format("{}: nothing to rebase, its upstream is already {}", options.name,
                            options.onto),
                context);
  return done(drafted,
              fmt::format("{} now has upstream {}", krm::name_of(drafted.object), options.onto),
              context);
}

}  // namespace

Result<Exit> run_rpkg_rebase(const RpkgRebaseOptions& options, Context& context) {
  PORTICO_TRY(const merge::OnConflict on_conflict, merge::parse_on_conflict(options.on_conflict),
              "--on-conflict");
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  PORTICO_TRY(const Value object,
              engine->registry().get({api::revision_kind(), context.globals.ns, options.name}));
  if (!options.onto.empty()) return name_upstream(*engine, object, options, context);
  if (!options.workspace.empty()) return invalid("--workspace requires --onto");
  const std::string_view lifecycle = object["spec"]["lifecycle"].as_string();
  if (lifecycle != krm::name(krm::Lifecycle::kDraft))
    return invalid("{} is {}; only drafts can be rebased{}", options.name, lifecycle,
                   lifecycle == krm::name(krm::Lifecycle::kProposed) ? ", reject it first" : "");
  PORTICO_TRY(const auto siblings, siblings_of(engine->registry(), object));
  if (!packages::stale_base(object, siblings))
    return done({}, fmt::format("{}: nothing to rebase", options.name), context);
  const Value& onto = packages::current(siblings);
  DraftRequest request =
      sibling_of(object, std::string(object["spec"]["workspaceName"].as_string()));
  request.draft = options.name;
  request.resource_version = object["metadata"]["resourceVersion"].as_string();
  request.source = drafts::RebaseSource{std::string(krm::name_of(onto))};
  request.on_conflict = on_conflict;
  PORTICO_TRY(const drafts::Drafted drafted, engine->drafts().draft(request));
  return done(drafted, fmt::format("{} rebased onto {}", options.name, krm::name_of(onto)),
              context);
}

}  // namespace portico::cli
