#include <algorithm>

#include "api/kinds.h"
#include "cli/asked.h"
#include "cli/changing.h"
#include "cli/commands.h"
#include "cli/plan_text.h"
#include "engine/engine.h"
#include "engine/label_changes.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

// Splits off the changes: all words before the first change name objects.
Result<engine::LabelChanges> take_changes(std::vector<std::string>& words) {
  engine::LabelChanges out;
  const auto first = std::find_if(words.begin(), words.end(), engine::is_label_change);
  if (first == words.end())
    return invalid("must specify at least one change: KEY=VALUE, or KEY- to remove the key");
  for (auto word = first; word != words.end(); ++word) {
    if (!engine::is_label_change(*word))
      return invalid(
          "\"{}\" follows a change; all names must be specified before KEY=VALUE or KEY-", *word);
    PORTICO_DO(engine::add_label_change(*word, out));
  }
  words.erase(first, words.end());
  return out;
}

Result<std::vector<Value>> objects_meant(const registry::Registry& registry,
                                         const LabelOptions& options,
                                         const std::vector<std::string>& names,
                                         const std::string& ns) {
  PORTICO_TRY(const auto asked, asked_of(options.type, names, registry));
  std::vector<Value> out;
  for (const Asked& each : asked) {
    if (!each.names.empty() + !options.selector.empty() + options.all != 1)
      return invalid("must specify names, -l or --all");
    PORTICO_TRY(auto found, find_objects(registry, each, {ns, options.selector, ""}));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

Result<Exit> change_metadata(const LabelOptions& options, const char* field, const char* done,
                             Context& context) {
  std::vector<std::string> words = options.words;
  PORTICO_TRY(const engine::LabelChanges changes, take_changes(words));
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  registry::Registry& registry = engine->registry();
  PORTICO_TRY(const auto objects, objects_meant(registry, options, words, context.globals.ns));
  if (objects.empty()) context.terminal.error("no resources found");
  Exit exit = 0;
  for (const Value& object : objects) {
    const std::string name = resources::name_line(object);
    const auto wanted = engine::with_label_changes(object, field, changes, options.overwrite);
    const auto written = wanted ? registry.commit({{registry::Verb::kUpdate, *wanted}})
                                : Result<std::vector<Value>>(wanted.error());
    if (written) {
      context.terminal.print("{} {}{}\n", name, *wanted == object ? "not " : "", done);
    } else {
      context.terminal.error(wanted ? written.error().text()
                                    : wanted.error().text() + " (" + name + ")");
      exit = 1;
    }
  }
  return reconcile_if_asked(*engine, options.wait, keys_of(objects), exit, context);
}

}  // namespace

Result<Exit> run_label(const LabelOptions& options, Context& context) {
  return change_metadata(options, "labels", "labeled", context);
}

Result<Exit> run_annotate(const LabelOptions& options, Context& context) {
  return change_metadata(options, "annotations", "annotated", context);
}

}  // namespace portico::cli
