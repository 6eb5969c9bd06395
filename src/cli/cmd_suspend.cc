#include "api/kinds.h"
#include "cli/asked.h"
#include "cli/changing.h"
#include "cli/object_commands.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

bool can_rest(const krm::GroupKind& kind) {
  return kind == api::variant_kind() || kind == api::variant_set_kind() ||
         kind == api::repository_kind();
}

Result<std::vector<Value>> objects_meant(const registry::Registry& registry,
                                         const SuspendOptions& options, const std::string& ns) {
  PORTICO_TRY(const auto asked, asked_of(options.type, options.names, registry));
  std::vector<Value> out;
  for (const Asked& each : asked) {
    if (!can_rest(each.kind))
      return invalid(
          "{} cannot be suspended; packagevariants, packagevariantsets and repositories can",
          resources::plural(each.kind));
    if (!each.names.empty() + !options.selector.empty() + options.all != 1)
      return invalid("must specify names, -l or --all");
    PORTICO_TRY(const auto found, find_objects(registry, each, {ns, options.selector, ""}));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

// Removes the annotation, and the map if it becomes empty.
Value without_suspend(const Value& object) {
  const Value out = object.without_at({"metadata", "annotations", api::kSuspend});
  return out["metadata"]["annotations"].empty() ? out.without_at({"metadata", "annotations"}) : out;
}

Result<Exit> change(const SuspendOptions& options, bool suspend, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  PORTICO_TRY(const auto objects, objects_meant(engine->registry(), options, context.globals.ns));
  if (objects.empty()) context.terminal.error("no resources found");
  const char* done = suspend ? "suspended" : "resumed";
  for (const Value& object : objects) {
    const bool is = krm::annotation_of(object, api::kSuspend) == "true";
    if (is != suspend)
      PORTICO_DO(engine->registry().commit(
          {{registry::Verb::kUpdate,
            suspend ? object.with_at({"metadata", "annotations", api::kSuspend}, "true")
                    : without_suspend(object)}}));
    context.terminal.print("{} {}{}\n", resources::name_line(object), done,
                           is == suspend ? " (no change)" : "");
  }
  return reconcile_if_asked(*engine, options.wait, keys_of(objects), 0, context);
}

}  // namespace

Result<Exit> run_suspend(const SuspendOptions& options, Context& context) {
  return change(options, true, context);
}

Result<Exit> run_resume(const SuspendOptions& options, Context& context) {
  return change(options, false, context);
}

}  // namespace portico::cli
