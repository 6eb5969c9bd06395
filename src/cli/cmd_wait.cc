#include <algorithm>
#include <chrono>

#include "cli/asked.h"
#include "cli/object_commands.h"
#include "engine/engine.h"
#include "engine/manifests.h"
#include "resources/awaited.h"
#include "resources/resources.h"
#include "resources/state.h"

namespace portico::cli {

using json::Value;

namespace {

struct Waiting {
  krm::ObjectKey key;
  Value object;  // as last seen; null: does not exist
};

std::string name_of(const Waiting& one) {
  return one.object.is_null() ? fmt::format("{}/{}", resources::plural(one.key.type), one.key.name)
                              : resources::name_line(one.object);
}

Result<std::vector<krm::ObjectKey>> keys_meant(const registry::Registry& registry,
                                               const AwaitOptions& options, const std::string& ns) {
  std::vector<krm::ObjectKey> out;
  if (options.type.empty() == options.files.empty())
    return invalid("must specify what to wait for: TYPE/NAME, a type with -l or --all, or -f FILE");
  if (!options.files.empty()) {
    PORTICO_TRY(const auto manifests, engine::read_manifests(options.files, ns));
    for (const engine::Manifest& manifest : manifests)
      out.push_back(krm::object_key(manifest.object));
    return out;
  }
  PORTICO_TRY(const auto asked, asked_of(options.type, options.names, registry));
  for (const Asked& each : asked) {
    if (!each.names.empty() + !options.selector.empty() + options.all != 1)
      return invalid("must specify names, -l or --all");
    for (const std::string& name : each.names) out.push_back({each.kind, ns, name});
    if (!each.names.empty()) continue;
    PORTICO_TRY(const auto found, find_objects(registry, each, {ns, options.selector, ""}));
    for (const Value& object : found) out.push_back(krm::object_key(object));
  }
  if (out.empty()) return not_found("no matching resources found");
  return out;
}

// Removes objects that meet the condition from `waiting`, and prints them.
Result<Done> look(const registry::Registry& registry, const resources::Awaited& awaited,
                  std::vector<Waiting>& waiting, Terminal& out) {
  std::vector<Waiting> left;
  for (Waiting& one : waiting) {
    auto object = registry.get(one.key);
    if (!object && object.error().code != Code::kNotFound) return std::move(object).error();
    if (!object && !awaited.takes_absent()) return std::move(object).error();
    const Value now = object ? *object : Value();
    if (!awaited.met(now)) {
      left.push_back({one.key, now});
      continue;
    }
    one.object = now.is_null() ? one.object : now;
    out.print("{} {}\n", name_of(one), awaited.is_delete() ? "deleted" : "condition met");
  }
  waiting = std::move(left);
  return Done{};
}

// Watches the server's changes until the timeout.
Result<Done> watch(registry::Registry& registry, registry::ResourceVersion from,
                   const resources::Awaited& awaited, std::vector<Waiting>& waiting,
                   Context& context) {
  constexpr std::chrono::seconds kAsKubectl(30);    // without --timeout
  constexpr std::chrono::milliseconds kToAsk(500);  // for a last request to the server
  const auto left = context.deadline.left(kAsKubectl);
  const auto end = std::chrono::steady_clock::now() + std::max(left / 2, left - kToAsk);
  while (!waiting.empty()) {
    registry::Query query{.type = waiting.front().key.type};
    query.ns = waiting.front().key.ns;
    const auto watch = registry.watch(query, from);
    const std::size_t before = waiting.size();
    while (waiting.size() == before) {
      const auto rest =
          std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      if (rest.count() <= 0) return Done{};
      const auto events = watch->next(rest);
      // The watch has expired: look at the current objects, and watch from there on.
      const bool lost = !events && events.error().reason == Reason::kExpired;
      if (!events && !lost) return events.error();
      if (lost) from = registry.version();
      PORTICO_DO(look(registry, awaited, waiting, context.terminal));
      context.terminal.flush();
      if (lost) break;
      from = watch->version();
    }
  }
  return Done{};
}

}  // namespace

Result<Exit> run_wait(const AwaitOptions& options, Context& context) {
  PORTICO_TRY(const auto awaited, resources::Awaited::parse(options.condition), "--for");
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  registry::Registry& registry = engine->registry();
  const registry::ResourceVersion from = engine->is_served() ? registry.version() : 0;
  PORTICO_TRY(const auto keys, keys_meant(registry, options, context.globals.ns));
  std::vector<Waiting> waiting;
  for (const krm::ObjectKey& key : keys) {
    auto object = registry.get(key);
    waiting.push_back({key, object ? *std::move(object) : Value()});
  }
  PORTICO_DO(look(registry, awaited, waiting, context.terminal));
  if (waiting.empty()) return 0;
  context.terminal.flush();
  if (engine->is_served()) {
    PORTICO_DO(watch(registry, from, awaited, waiting, context));
    for (const Waiting& one : waiting)
      context.terminal.error(
          fmt::format("timed out waiting for {}: {}{}", name_of(one), options.condition,
                      one.object.is_null() ? "" : " (" + resources::state_of(one.object) + ")"));
    return waiting.empty() ? 0 : 1;
  }
  const auto settled = engine->settle(context.terminal, {keys.begin(), keys.end()});
  PORTICO_DO(look(registry, awaited, waiting, context.terminal));
  for (const Waiting& one : waiting)
    context.terminal.error(
        fmt::format("{}: {} was not met{}{}", name_of(one), options.condition,
                    one.object.is_null() ? "" : ": " + resources::state_of(one.object),
                    settled ? "; nothing is left to do that could change it" : ""));
  if (!settled && !waiting.empty()) return settled.error();
  return waiting.empty() ? 0 : 1;
}

}  // namespace portico::cli
