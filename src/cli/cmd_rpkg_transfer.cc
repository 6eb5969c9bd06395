// `rpkg pull` and `rpkg push`: a package revision in a folder, or as a ResourceList.
#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/package_stream.h"
#include "cli/pull_metadata.h"
#include "engine/engine.h"
#include "engine/manifests.h"
#include "krm/file_paths.h"

namespace portico::cli {

using drafts::Drafted;
using drafts::DraftRequest;
using engine::Engine;
using json::Value;

namespace {

constexpr int kMoreTries = 5;  // of a push, while only metadata changes

bool is_stream(const std::string& dir) { return dir.empty() || dir == "-"; }

Result<Value> revision_named(Engine& engine, const std::string& name, const Context& context) {
  return engine.registry().get({api::revision_kind(), context.globals.ns, name});
}

std::string version_of(const Value& revision) {
  return std::string(revision["metadata"]["resourceVersion"].as_string());
}

// pull does not write links that lead out of the package; push must not treat them as removed.
Result<krm::Package> with_links_out(Engine& engine, const Value& revision,
                                    const krm::Package& pulled) {
  krm::Package out = pulled;
  PORTICO_TRY(const auto now, engine.packages().read(revision));
  for (const std::string& path : krm::links_out(*now)) out.files.emplace(path, *now->find(path));
  return out;
}

DraftRequest replacing(const Value& draft, krm::Package content, const RpkgPushOptions& options) {
  DraftRequest out;
  out.ns = krm::namespace_of(draft);
  out.repository = draft["spec"]["repository"].as_string();
  out.package = draft["spec"]["packageName"].as_string();
  out.workspace = draft["spec"]["workspaceName"].as_string();
  out.draft = options.name;
  out.source = drafts::ReplaceSource{std::move(content), options.keep_comments};
  out.actor = engine::current_actor();
  return out;
}

bool is_conflict(const Result<Drafted>& tried) {
  return !tried && tried.error().code == Code::kConflict;
}

// If the draft already has the content that the request would produce, the push was done before,
// for example by a command that was killed. Otherwise returns the original error.
Result<Drafted> found_done(Engine& engine, DraftRequest request, Result<Drafted> tried) {
  request.resource_version.clear();
  PORTICO_TRY(const Value now,
              engine.registry().get({api::revision_kind(), request.ns, request.draft}));
  const auto held = engine.packages().read(now);
  const auto built = engine.drafts().build(request);
  if (held && built && built->content == **held) return Drafted{now, false, *built, {}};
  return tried;
}

// The output of the pipeline's functions, in kpt's format.
std::string results_text(const Value& render_status) {
  std::string out;
  for (const Value& run : render_status["result"]["items"].items()) {
    const Value& image = run["image"].is_string() ? run["image"] : run["exec"];
    std::string results;
    for (const Value& each : run["results"].items()) {
      const std::string_view severity = each["severity"].as_string();
      const std::string_view field = each["field"]["path"].as_string();
      results +=
          fmt::format("[Results]: [{}] {}{}\n", severity.empty() ? "info" : severity,
                      field.empty() ? "" : std::string(field) + ": ", each["message"].as_string());
    }
    if (!results.empty()) out += fmt::format("[RUNNING] \"{}\"\n{}", image.as_string(), results);
  }
  return out;
}

void tell(const Drafted& drafted, const std::string& name, bool before, Terminal& terminal) {
  terminal.note(results_text(drafted.built.render_status));
  if (drafted.object.is_null())
    terminal.print("{} unchanged\n", name);
  else
    terminal.print("{} {}\n", name, before ? "already pushed" : "pushed");
}

Result<Exit> push_stream(const RpkgPushOptions& options, Context& context) {
  if (options.dir.empty() && context.terminal.can_ask())
    return invalid("must specify the pulled folder, or - for a ResourceList on standard input");
  PORTICO_TRY(const std::string text, engine::read_text("-"), "standard input");
  PORTICO_TRY(const PackageStream stream, read_package_stream(text), "standard input");
  if (stream.revision && stream.revision->name != options.name)
    return invalid("the ResourceList was pulled from {}, not from {}", stream.revision->name,
                   options.name);
  if (!options.force && (!stream.revision || stream.revision->resource_version.empty()))
    return invalid(
        "the ResourceList does not specify which version of {} it changes: the resourceVersion of "
        "its KptRevisionMetadata is missing; pull it first, or push with --force",
        options.name);

  PORTICO_TRY(const auto engine, Engine::open(context));
  PORTICO_TRY(const Value object, revision_named(*engine, options.name, context));
  PORTICO_TRY(const auto now, engine->packages().read(object));
  PORTICO_TRY(krm::Package content, with_resources(*now, stream.items), "standard input");
  DraftRequest request = replacing(object, std::move(content), options);
  if (!options.force) request.resource_version = stream.revision->resource_version;
  auto tried = engine->drafts().draft(request);
  const bool moved = is_conflict(tried);
  if (moved) tried = found_done(*engine, std::move(request), std::move(tried));
  PORTICO_TRY(const Drafted drafted, std::move(tried));
  tell(drafted, options.name, moved, context.terminal);
  return 0;
}

}  // namespace

Result<Exit> run_rpkg_pull(const RpkgPullOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, Engine::read(context));
  PORTICO_TRY(const Value object, revision_named(*engine, options.name, context));
  PORTICO_TRY(const auto package, engine->packages().read(object));
  if (is_stream(options.dir)) {
    PORTICO_TRY(const std::string text, write_package_stream(*package, object), options.name);
    context.terminal.write(text);
    return 0;
  }
  PORTICO_TRY(
      const folder::Written written,
      write_pulled(options.dir, *package,
                   {options.name, context.globals.ns, version_of(object), {}}, options.force));
  note_links(written, context.terminal);
  context.terminal.print("{} pulled into {}: {} files\n", options.name, options.dir,
                         package->files.size());
  return 0;
}

Result<Exit> run_rpkg_push(const RpkgPushOptions& options, Context& context) {
  if (is_stream(options.dir)) return push_stream(options, context);
  PORTICO_TRY(const auto metadata, read_pulled(options.dir));
  PORTICO_TRY(const krm::Package pulled, folder::read(options.dir));
  if (!metadata && !options.force)
    return invalid("\"{}\" was not pulled: it has no {}; pull first, or push with --force",
                   options.dir, folder::kRevisionMetadata);
  if (metadata && metadata->name != options.name)
    return invalid("\"{}\" was pulled from {}, not from {}", options.dir, metadata->name,
                   options.name);

  PORTICO_TRY(const auto engine, Engine::open(context));
  PORTICO_TRY(const Value object, revision_named(*engine, options.name, context));
  PORTICO_TRY(krm::Package content, with_links_out(*engine, object, pulled));
  DraftRequest request = replacing(object, std::move(content), options);
  if (metadata && !options.force) request.resource_version = metadata->resource_version;
  auto tried = engine->drafts().draft(request);
  // Controllers keep changing labels, owners and status; these are not edits.
  for (int more = kMoreTries; more > 0 && metadata && is_conflict(tried); --more) {
    PORTICO_TRY(const Value now, engine->registry().get(krm::object_key(object)));
    const auto held = engine->packages().read(now);
    if (!held || !is_as_pulled(**held, *metadata)) break;
    request.resource_version = version_of(now);
    tried = engine->drafts().draft(request);
  }
  const bool moved = is_conflict(tried);
  if (moved) tried = found_done(*engine, std::move(request), std::move(tried));
  PORTICO_TRY(const Drafted drafted, std::move(tried));
  if (!drafted.object.is_null()) {
    // The functions may have changed what was pushed: update the folder to the draft.
    PORTICO_TRY(const folder::Written written,
                update_pulled(options.dir, pulled, drafted.built.content,
                              {options.name, context.globals.ns, version_of(drafted.object), {}}));
    note_links(written, context.terminal);
  }
  tell(drafted, options.name, moved, context.terminal);
  return 0;
}

}  // namespace portico::cli
