#include "api/kinds.h"
#include "cli/applying.h"
#include "cli/commands.h"
#include "cli/plan_text.h"
#include "cli/rehearsal.h"
#include "cli/what_if.h"
#include "controllers/plan_json.h"
#include "json/text.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

// Every change of an object, and what keeps one from being stored.
struct Changes {
  std::set<krm::ObjectKey> asked;
  std::vector<std::pair<std::string, Value>> done;  // verb, object
  std::vector<Error> refused;
};

Result<Changes> rehearse_changes(const PlanOptions& options, Context& context,
                                 const std::vector<Wanted>& wanted, registry::Registry& registry) {
  Changes out;
  out.asked = keys_of(wanted);
  PORTICO_TRY(const auto applied, apply_objects(registry, wanted, options.confirm_deletions));
  for (std::size_t i = 0; i < applied.size(); ++i) {
    if (!applied[i].now)
      out.refused.push_back(Error(applied[i].now.error()).in(wanted[i].source));
    else if (const std::string_view verb = applied[i].verb(); verb != "unchanged")
      out.done.emplace_back(verb, *applied[i].now);
  }
  std::vector<Value> edited;
  if (!options.upstream.empty()) {
    PORTICO_TRY(edited, move_upstream(registry, context.globals.ns, options.upstream, options.to));
  }
  for (std::size_t i = 0; i + 1 < options.labels.size(); i += 2) {
    PORTICO_TRY(Value labelled,
                set_label(registry, context.globals.ns, options.labels[i], options.labels[i + 1]));
    edited.push_back(std::move(labelled));
  }
  for (const Value& object : edited) {
    out.asked.insert(krm::object_key(object));
    out.done.emplace_back("configured", object);
  }
  return out;
}

Value to_json(const Changes& changes, const controllers::Plan& plan) {
  std::vector<Value> objects, refused;
  for (const auto& [verb, object] : changes.done)
    objects.push_back(Value::object({{"verb", verb},
                                     {"kind", krm::object_key(object).type.kind},
                                     {"namespace", krm::namespace_of(object)},
                                     {"name", krm::name_of(object)}}));
  for (const Error& each : changes.refused) refused.emplace_back(each.text());
  Value out = controllers::to_json(plan).with("objects", Value::array(std::move(objects)));
  if (!changes.done.empty()) out = out.with("changes", true);
  if (!refused.empty())
    out = out.with("failed", true).with("refused", Value::array(std::move(refused)));
  return out;
}

}  // namespace

Result<Exit> run_plan(const PlanOptions& options, Context& context) {
  if (!options.output.empty() && options.output != "json")
    return invalid("unknown output \"{}\"; there is json", options.output);
  if (options.upstream.empty() != options.to.empty())
    return invalid("--upstream and --to go together: --upstream REPO/PACKAGE --to REVISION");
  if (options.confirm_deletions && options.files.empty())
    return invalid("--confirm-deletions goes with the -f of the set");
  std::vector<Wanted> wanted;
  if (!options.files.empty()) {
    PORTICO_TRY(wanted, wanted_objects(options.files, context));
  }
  PORTICO_TRY(const auto engine, Engine::open(context));
  PORTICO_TRY(const auto rehearsal, Rehearsal::begin(*engine));
  PORTICO_TRY(const Changes changes,
              rehearse_changes(options, context, wanted, rehearsal->registry()));
  PORTICO_TRY(const controllers::Plan plan, rehearsal->plan(changes.asked, context.terminal));

  Terminal& out = context.terminal;
  if (options.output == "json") {
    out.print("{}\n", json::print_pretty(to_json(changes, plan)));
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
