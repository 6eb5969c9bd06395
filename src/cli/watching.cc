#include "cli/watching.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "cli/asked.h"
#include "cli/definitions.h"
#include "cli/printer.h"

namespace portico::cli {

using json::Value;

namespace {

class Watching {
 public:
  Watching(engine::Engine& engine, const GetOptions& options, Context& context)
      : engine_(engine),
        context_(context),
        how_{.output = options.output,
             .namespaces = options.all_namespaces,
             .no_headers = true,
             .one = true,
             .show_labels = options.show_labels,
             .terminal = &context.terminal} {}

  Result<Done> begin(const GetOptions& options, const std::vector<Value>& shown) {
    PORTICO_TRY(const auto asked, asked_of(options.type, options.names, engine_.registry()));
    query_.type = asked[0].kind;
    how_.definitions = definitions_of(engine_.registry(), std::set{query_.type});
    query_.ns = options.all_namespaces ? "" : context_.globals.ns;
    PORTICO_TRY(query_.labels, krm::LabelSelector::parse(options.selector), "-l");
    PORTICO_TRY(matches_, field_matcher(options.fields));
    names_ = asked[0].names;
    for (const Value& object : shown) seen_[krm::object_key(object)] = version_of(object);
    return Done{};
  }

  Result<Done> run(registry::ResourceVersion from) {
    auto watch = engine_.registry().watch(query_, from);
    while (!context_.deadline.over()) {
      constexpr std::chrono::hours kLong(1);
      const auto events = watch->next(context_.deadline.left(kLong));
      if (!events && context_.deadline.over()) break;
      if (!events && events.error().reason == Reason::kExpired) {
        PORTICO_TRY(from, list_anew());
        watch = engine_.registry().watch(query_, from);
        continue;
      }
      if (!events) return events.error();
      for (const registry::Event& event : *events)
        PORTICO_DO(show(event.object, event.change == registry::Change::kDeleted));
      context_.terminal.flush();
    }
    return Done{};
  }

 private:
  static std::string version_of(const Value& object) {
    return std::string(object["metadata"]["resourceVersion"].as_string());
  }

  Result<Done> show(const Value& object, bool gone) {
    const krm::ObjectKey key = krm::object_key(object);
    if (!names_.empty() && std::find(names_.begin(), names_.end(), key.name) == names_.end())
      return Done{};
    if (gone)
      seen_.erase(key);
    else
      seen_[key] = version_of(object);
    if (!matches_(object)) return Done{};
    PORTICO_TRY(const std::string text, print_objects({object}, how_, engine_.now()));
    context_.terminal.write(text);
    return Done{};
  }

  // The server no longer has the watch's version: print the objects that differ from those shown.
  Result<registry::ResourceVersion> list_anew() {
    PORTICO_TRY(const registry::Listing all, engine_.registry().list(query_));
    for (const Value& object : all.objects) {
      const auto seen = seen_.find(krm::object_key(object));
      if (seen == seen_.end() || seen->second != version_of(object))
        PORTICO_DO(show(object, false));
    }
    context_.terminal.flush();
    return all.version;
  }

  engine::Engine& engine_;
  Context& context_;
  PrintOptions how_;
  registry::Query query_;
  std::function<bool(const Value&)> matches_;
  std::vector<std::string> names_;
  std::map<krm::ObjectKey, std::string> seen_;  // the versions that were shown
};

}  // namespace

Result<Done> check_watch(const registry::Registry& registry, const GetOptions& options) {
  if (!options.files.empty() || !options.sort_by.empty())
    return invalid("-w requires a type, and cannot be combined with -f or --sort-by");
  PORTICO_TRY(const auto asked, asked_of(options.type, options.names, registry));
  if (asked.size() != 1) return invalid("you may only specify a single resource type with -w");
  PORTICO_DO(print_objects({}, {.output = options.output}, ""));
  return Done{};
}

Result<Exit> watch_objects(engine::Engine& engine, const GetOptions& options,
                           const std::vector<Value>& shown, registry::ResourceVersion from,
                           Context& context) {
  Watching watching(engine, options, context);
  PORTICO_DO(watching.begin(options, shown));
  if (!engine.is_served())
    context.terminal.hint("nothing changes here until a server does it: run portico serve as well");
  context.terminal.flush();
  PORTICO_DO(watching.run(from));
  return 0;
}

}  // namespace portico::cli
