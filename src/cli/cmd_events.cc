#include <algorithm>

#include "base/spelling.h"
#include "cli/asked.h"
#include "cli/object_commands.h"
#include "cli/printer.h"
#include "controllers/events.h"
#include "engine/engine.h"
#include "resources/table.h"

namespace portico::cli {

using json::Value;

namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

Result<Done> check_types(const std::vector<std::string>& types) {
  for (const std::string& type : types)
    if (!same_word(type, "Normal") && !same_word(type, "Warning"))
      return invalid("--types: invalid event type \"{}\"{}; must be Normal or Warning", type,
                     hint(type, {"Normal", "Warning"}));
  return Done{};
}

Result<std::vector<Value>> events_meant(const registry::Registry& registry,
                                        const EventsOptions& options, const std::string& ns) {
  PORTICO_DO(check_types(options.types));
  PORTICO_TRY(auto all, controllers::all_events(registry, options.all_namespaces ? "" : ns));
  if (!options.about.empty()) {
    PORTICO_TRY(const auto asked, asked_of(options.about, {}, registry), "--for");
    if (asked.empty() || asked[0].names.empty())
      return invalid("--for: \"{}\" is not TYPE/NAME", options.about);
    std::erase_if(all, [&](const Value& event) {
      const Value& about = event["involvedObject"];
      return about["kind"].as_string() != asked[0].kind.kind ||
             about["name"].as_string() != asked[0].names[0];
    });
    // A deleted object may still have events; without any, the name must exist.
    if (all.empty() && !options.all_namespaces)
      PORTICO_DO(find_objects(registry, asked[0], {ns, "", ""}), "--for");
  }
  if (!options.types.empty())
    std::erase_if(all, [&](const Value& event) {
      return std::none_of(options.types.begin(), options.types.end(), [&](const std::string& type) {
        return same_word(type, event["type"].as_string());
      });
    });
  return all;
}

std::string table_of(const std::vector<Value>& events, const EventsOptions& options,
                     std::string_view now) {
  std::vector<std::vector<std::string>> rows;
  if (!options.no_headers) rows.push_back({"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"});
  for (const Value& event : events) {
    const Value& about = event["involvedObject"];
    std::string seen = resources::age(event["lastTimestamp"].as_string(), now);
    if (const std::int64_t count = event["count"].as_int(); count > 1)
      seen += fmt::format(" (x{} over {})", count,
                          resources::age(event["firstTimestamp"].as_string(), now));
    rows.push_back({std::move(seen), std::string(event["type"].as_string()),
                    std::string(event["reason"].as_string()),
                    fmt::format("{}/{}", about["kind"].as_string(), about["name"].as_string()),
                    std::string(event["message"].as_string())});
  }
  if (options.all_namespaces)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool head = !options.no_headers && i == 0;
      const std::size_t at = options.no_headers ? i : i - 1;
      rows[i].insert(rows[i].begin(),
                     head ? "NAMESPACE" : std::string(krm::namespace_of(events[at])));
    }
  return terminal::table(rows);
}

}  // namespace

Result<Exit> run_events(const EventsOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  PORTICO_TRY(const auto events, events_meant(engine->registry(), options, context.globals.ns));
  if (!options.output.empty()) {
    PORTICO_TRY(const std::string text,
                print_objects(events, {.output = options.output}, engine->now()));
    context.terminal.write(text);
  } else if (events.empty()) {
    context.terminal.error(options.all_namespaces
                               ? "no events found"
                               : "no events found in namespace " + context.globals.ns);
  } else {
    context.terminal.write(table_of(events, options, engine->now()));
  }
  return 0;
}

}  // namespace portico::cli
