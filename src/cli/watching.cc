#include "cli/watching.h"

#include <algorithm>

#include "cli/asked.h"
#include "cli/printer.h"

namespace portico::cli {

using json::Value;

Result<Exit> watch_objects(engine::Engine& engine, const GetOptions& options,
                           registry::ResourceVersion from, Context& context) {
  if (!options.files.empty() || !options.sort_by.empty())
    return invalid("-w goes with a type, and with neither -f nor --sort-by");
  registry::Registry& registry = engine.registry();
  PORTICO_TRY(const auto asked, asked_of(options.type, options.names, registry.kinds()));
  if (asked.size() != 1) return invalid("-w goes with one type");
  registry::Query query{.type = asked[0].kind};
  query.ns = options.all_namespaces ? "" : context.globals.ns;
  PORTICO_TRY(query.labels, krm::LabelSelector::parse(options.selector), "-l");
  PORTICO_TRY(const auto matches, field_matcher(options.fields));
  const auto& names = asked[0].names;
  if (!engine.is_served())
    context.terminal.hint("nothing changes here until a server does it: run portico serve as well");
  const auto watch = registry.watch(query, from);
  const PrintOptions how{.output = options.output,
                         .namespaces = options.all_namespaces,
                         .no_headers = true,
                         .one = true,
                         .show_labels = options.show_labels};
  context.terminal.flush();
  while (!context.deadline.over()) {
    constexpr std::chrono::hours kLong(1);
    const auto events = watch->next(context.deadline.left(kLong));
    if (!events && context.deadline.over()) break;
    if (!events) return events.error();
    for (const registry::Event& event : *events) {
      const bool named = names.empty() || std::find(names.begin(), names.end(),
                                                    krm::name_of(event.object)) != names.end();
      if (!named || !matches(event.object)) continue;
      PORTICO_TRY(const std::string text, print_objects({event.object}, how, engine.now()));
      context.terminal.write(text);
    }
    context.terminal.flush();
  }
  return 0;
}

}  // namespace portico::cli
