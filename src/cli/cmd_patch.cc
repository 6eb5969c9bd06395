#include "cli/changing.h"
#include "cli/definitions.h"
#include "cli/object_commands.h"
#include "cli/printer.h"
#include "engine/manifests.h"
#include "krm/object.h"
#include "patch/patch.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

// Kubernetes' own kinds support strategic merge patches; kinds with definitions do not.
bool is_builtin(const krm::GroupKind& kind) {
  return kind.group.find('.') == std::string::npos || kind.group.ends_with(".k8s.io");
}

Result<Value> patched(const Value& object, const Value& body, const std::string& asked) {
  const krm::GroupKind kind = krm::group_kind(object);
  const std::string type = !asked.empty() ? asked : is_builtin(kind) ? "strategic" : "merge";
  if (type == "json") {
    PORTICO_TRY(const patch::JsonPatch operations, patch::read_json_patch(body), "patch");
    return patch::apply_json_patch(object, operations);
  }
  if (type == "merge") {
    PORTICO_TRY(const Value merge, patch::read_merge_patch(body), "patch");
    return patch::apply_merge_patch(object, merge);
  }
  if (!is_builtin(kind))
    return invalid("strategic merge patch is not supported for {}; use --type merge or json",
                   kind.kind);
  PORTICO_TRY(const Value strategic, patch::read_strategic_patch(body), "patch");
  return patch::apply_strategic_patch(object, strategic,
                                      patch::merged_lists(kind.group, kind.kind));
}

Result<Value> body_of(const PatchOptions& options) {
  if (options.patch.empty() == options.patch_file.empty())
    return invalid("must specify -p or --patch-file with the contents of the patch");
  std::string text = options.patch;
  if (!options.patch_file.empty()) {
    PORTICO_TRY(text, engine::read_text(options.patch_file));
  }
  PORTICO_TRY(const krm::Object document, krm::Object::parse(text), "patch");
  return document.value();
}

}  // namespace

Result<Exit> run_patch(const PatchOptions& options, Context& context) {
  PORTICO_TRY(const Value body, body_of(options));
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  registry::Registry& registry = engine->registry();
  PORTICO_TRY(const auto objects,
              named_objects(registry, options.type, options.names, context.globals.ns));
  Exit exit = 0;
  std::vector<Value> now;
  for (const Value& object : objects) {
    const std::string name = resources::name_line(object);
    PORTICO_TRY(const Value wanted, patched(object, body, options.patch_type), name);
    PORTICO_TRY(const Value admitted, admitted_change(object, wanted, context.terminal), name);
    const std::vector<registry::Write> write{{registry::Verb::kUpdate, admitted}};
    PORTICO_TRY(const auto stored,
                options.dry_run ? registry.dry_run(write) : registry.commit(write));
    now.push_back(stored.front());
    if (options.output.empty())
      context.terminal.print("{} patched{}{}\n", name, admitted == object ? " (no change)" : "",
                             options.dry_run ? " (dry run)" : "");
  }
  if (!options.output.empty()) {
    PORTICO_TRY(const std::string text,
                print_objects(now,
                              {.output = options.output,
                               .one = now.size() == 1,
                               .definitions = definitions_of(registry, now)},
                              engine->now()));
    context.terminal.write(text);
  }
  if (options.dry_run) return exit;
  return reconcile_if_asked(*engine, options.wait, keys_of(now), exit, context);
}

}  // namespace portico::cli
