#include "cli/commands.h"
#include "controllers/history.h"
#include "engine/engine.h"
#include "json/text.h"
#include "resources/table.h"

namespace portico::cli {

Result<Exit> run_history(const HistoryOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  PORTICO_TRY(const auto entries, controllers::history(engine->registry(), engine->packages(),
                                                       context.globals.ns, options.name));
  Terminal& out = context.terminal;
  if (options.output == "json") {
    out.write(json::print_pretty(controllers::to_json(entries), 2) + "\n");
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"WHEN", "REVISION", "WHO", "WHAT", "WHY"}};
  for (const controllers::HistoryEntry& each : entries)
    rows.push_back({each.when, each.revision, each.who, each.what, each.why});
  out.write(terminal::table(rows));
  return 0;
}

}  // namespace portico::cli
