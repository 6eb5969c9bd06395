#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/plan_text.h"
#include "controllers/plan_json.h"
#include "engine/applying.h"
#include "engine/engine.h"
#include "json/text.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

// `words` alternates "TYPE/NAME" and "key=value".
Result<Done> add_labels(const std::vector<std::string>& words, const registry::Registry& registry,
                        engine::Changes& out) {
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const std::string& object = words[i];
    const std::size_t slash = object.find('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == object.size())
      return invalid("--label: \"{}\" is not TYPE/NAME, such as repo/edge01", object);
    PORTICO_TRY(const krm::GroupKind kind,
                resources::find_kind(object.substr(0, slash), registry.kinds()), "--label");
    out.labels.emplace_back(krm::ObjectKey{kind, out.ns, object.substr(slash + 1)}, words[i + 1]);
  }
  return Done{};
}

Value told_as_json(const engine::Rehearsed& changes) {
  std::vector<Value> objects, refused;
  for (const auto& [verb, object] : changes.done)
    objects.push_back(Value::object({{"verb", verb},
                                     {"kind", krm::object_key(object).type.kind},
                                     {"namespace", krm::namespace_of(object)},
                                     {"name", krm::name_of(object)}}));
  for (const Error& each : changes.refused) refused.emplace_back(each.text());
  Value out = controllers::to_json(changes.plan).with("objects", Value::array(std::move(objects)));
  if (!changes.done.empty()) out = out.with("changes", true);
  if (!refused.empty())
    out = out.with("failed", true).with("refused", Value::array(std::move(refused)));
  return out;
}

}  // namespace

Result<Exit> run_plan(const PlanOptions& options, Context& context) {
  if (!options.output.empty() && options.output != "json")
    return invalid("unknown output format \"{}\"; must be json", options.output);
  if (options.upstream.empty() != options.to.empty())
    return invalid(
        "--upstream and --to must be used together: --upstream REPO/PACKAGE --to REVISION");
  if (options.confirm_deletions && options.files.empty())
    return invalid("--confirm-deletions requires the set with -f");
  engine::Changes wanted;
  wanted.ns = context.globals.ns;
  wanted.confirm_deletions = options.confirm_deletions;
  wanted.upstream = options.upstream;
  wanted.to = options.to;
  if (!options.files.empty()) {
    PORTICO_TRY(wanted.apply, engine::wanted_objects(options.files, context));
  }
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  PORTICO_DO(add_labels(options.labels, engine->registry(), wanted));
  PORTICO_TRY(const engine::Rehearsed changes, engine->rehearse(wanted, context.terminal));
  const controllers::Plan& plan = changes.plan;

  Terminal& out = context.terminal;
  if (options.output == "json") {
    out.print("{}\n", json::print_pretty(told_as_json(changes)));
  } else {
    for (const auto& [verb, object] : changes.done)
      out.print("{} {}\n", resources::name_line(object), verb);
    for (const Error& each : changes.refused)
      out.print("{} {}\n", out.paint(Colour::kRed, "error"), each.text());
    print_plan(out, plan, {.diffs = !options.no_diff, .most_variants = 0});
    out.print("{}; nothing was written\n", plan_counts(plan, false));
  }
  if (plan.failed() || !changes.refused.empty()) return 1;
  return options.detailed_exit_code && (plan.changes() || !changes.done.empty()) ? 2 : 0;
}

}  // namespace portico::cli
