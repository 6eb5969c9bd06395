#include <algorithm>

#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/plan_text.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

namespace {

struct Changes {
  std::vector<std::pair<std::string, std::string>> set;
  std::vector<std::string> removed;
};

// "key=value" and "key-" are changes, everything before the first of them names.
Result<Changes> changes_of(std::vector<std::string>& words) {
  Changes out;
  const auto is_change = [](const std::string& word) {
    return word.find('=') != std::string::npos || word.ends_with('-');
  };
  const auto first = std::find_if(words.begin(), words.end(), is_change);
  for (auto word = first; word != words.end(); ++word) {
    const std::size_t at = word->find('=');
    if (at != std::string::npos)
      out.set.emplace_back(word->substr(0, at), word->substr(at + 1));
    else if (word->ends_with('-'))
      out.removed.push_back(word->substr(0, word->size() - 1));
    else
      return invalid("\"{}\" stands behind a change; names come first, then KEY=VALUE or KEY-",
                     *word);
  }
  if (out.set.empty() && out.removed.empty())
    return invalid("say what to change: KEY=VALUE, or KEY- to remove it");
  words.erase(first, words.end());
  return out;
}

Result<Value> changed(const Value& object, const char* field, const Changes& changes,
                      bool overwrite) {
  Value out = object;
  const Value& before = object["metadata"][field];
  for (const auto& [key, value] : changes.set) {
    if (const Value* has = before.find(key);
        has != nullptr && has->as_string() != value && !overwrite)
      return invalid("{} \"{}\" is \"{}\" already; change it with --overwrite", field, key,
                     has->as_string());
    out = out.with_at({"metadata", field, key}, value);
  }
  for (const std::string& key : changes.removed)
    if (out["metadata"][field].contains(key))
      out = out["metadata"][field].size() == 1 ? out.without_at({"metadata", field})
                                               : out.without_at({"metadata", field, key});
  PORTICO_DO(krm::validate_metadata(out));
  return out;
}

Result<std::vector<Value>> objects_meant(registry::Registry& registry, const krm::GroupKind& kind,
                                         const LabelOptions& options,
                                         const std::vector<std::string>& names,
                                         const std::string& ns) {
  if (names.empty() == options.selector.empty())
    return invalid("name the objects, or select them with -l");
  std::vector<Value> out;
  for (const std::string& name : names) {
    PORTICO_TRY(Value object, registry.get({kind, ns, name}));
    out.push_back(std::move(object));
  }
  if (!names.empty()) return out;
  PORTICO_TRY(auto labels, krm::LabelSelector::parse(options.selector), "-l");
  PORTICO_TRY(registry::Listing all,
              registry.list({.type = kind, .ns = ns, .labels = std::move(labels)}));
  return std::move(all.objects);
}

Result<Exit> change_metadata(const LabelOptions& options, const char* field, const char* done,
                             Context& context) {
  std::vector<std::string> words = options.words;
  PORTICO_TRY(const Changes changes, changes_of(words));
  PORTICO_TRY(const auto engine, Engine::open(context));
  registry::Registry& registry = engine->registry();
  PORTICO_TRY(const auto kind, resources::find_kind(options.type, registry.kinds()));
  PORTICO_TRY(const auto objects,
              objects_meant(registry, kind, options, words, context.globals.ns));
  Exit exit = 0;
  for (const Value& object : objects) {
    const std::string name = resources::name_line(object);
    const auto wanted = changed(object, field, changes, options.overwrite);
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
  if (options.wait.wait) {
    context.terminal.flush();
    PORTICO_TRY(const controllers::Plan plan, engine->settle(options.wait, context.terminal));
    print_done(context.terminal, plan);
  }
  return exit;
}

}  // namespace

Result<Exit> run_label(const LabelOptions& options, Context& context) {
  return change_metadata(options, "labels", "labeled", context);
}

Result<Exit> run_annotate(const LabelOptions& options, Context& context) {
  return change_metadata(options, "annotations", "annotated", context);
}

}  // namespace portico::cli
