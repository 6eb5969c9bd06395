#include <map>

#include "admission/admission.h"
#include "api/kinds.h"
#include "apply/last_applied.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/failing.h"
#include "cli/manifests.h"
#include "registry/overlay.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

Result<Exit> run_apply(const ApplyOptions& options, Context& context) {
  PORTICO_TRY(const auto manifests, read_manifests(options.files, context.globals.ns));
  // All of it is checked before any of it is written.
  std::vector<Value> wanted;
  for (const Manifest& manifest : manifests) {
    if (krm::group_kind(manifest.object) == api::revision_kind()) {
      PORTICO_DO(krm::validate_metadata(manifest.object));
      wanted.push_back(manifest.object);
      continue;
    }
    PORTICO_TRY(admission::Admitted admitted, admission::admit(manifest.object),
                manifest.source + ": " + resources::name_line(manifest.object));
    for (const std::string& warning : admitted.warnings)
      context.terminal.warning(fmt::format("{}: {}: {}", manifest.source,
                                           resources::name_line(manifest.object), warning));
    wanted.push_back(std::move(admitted.object));
  }

  PORTICO_TRY(const auto engine, Engine::open(context));
  registry::Overlay dry(engine->registry());
  registry::Registry& registry = options.dry_run ? dry : engine->registry();
  std::vector<registry::Write> writes;
  std::vector<Value> before;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Value& object = wanted[i];
    const auto stored = registry.get(krm::object_key(object));
    if (!stored && stored.error().code != Code::kNotFound) return stored.error();
    before.push_back(stored ? *stored : Value());
    const Value merged = apply::merge_applied(before.back(), object);
    if (krm::group_kind(object) == api::revision_kind())
      PORTICO_DO(admission::admit_revision(before.back(), merged),
                 manifests[i].source + ": " + resources::name_line(object));
    if (stored)
      PORTICO_DO(admission::admit_update(*stored, merged),
                 manifests[i].source + ": " + resources::name_line(object));
    writes.push_back({stored ? registry::Verb::kUpdate : registry::Verb::kCreate, merged});
  }
  const auto written = registry.commit_each(writes);
  Exit exit = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i]) {
      context.terminal.error(written[i].error().in(manifests[i].source).text());
      exit = 1;
      continue;
    }
    const char* did = before[i].is_null()        ? "created"
                      : before[i] == *written[i] ? "unchanged"
                                                 : "configured";
    context.terminal.print("{} {}{}\n", resources::name_line(*written[i]), did,
                           options.dry_run ? " (dry run)" : "");
  }
  if (options.dry_run) return exit;
  if (options.wait.wait) {
    context.terminal.flush();
    PORTICO_DO(engine->settle(options.wait, context.terminal));
    PORTICO_TRY(const auto failing, failing_of(engine->registry(), wanted));
    print_failing(failing, context.terminal);
    if (!failing.empty()) exit = 1;
  } else {
    context.terminal.hint("nothing is reconciled yet: add --wait, or run portico serve");
  }
  return exit;
}

}  // namespace portico::cli
