#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/kinds.h"
#include "cli/manifests.h"
#include "cli/printer.h"

namespace portico::cli {

using json::Value;

namespace {

// The named objects, or all that the selector and namespace allow.
Result<std::vector<Value>> find(store::Registry& registry, const krm::GroupKind& kind,
                                const std::vector<std::string>& names, const std::string& ns,
                                const std::string& selector) {
  if (names.empty()) {
    PORTICO_TRY(auto labels, krm::LabelSelector::parse(selector), "-l");
    PORTICO_TRY(store::Listing all, registry.list({kind, ns, std::move(labels), {}, {}}));
    return std::move(all.objects);
  }
  std::vector<Value> out;
  for (const std::string& name : names) {
    auto object = registry.get({kind, ns, name});
    if (!object && object.error().code == Code::kNotFound)
      return not_found("{} \"{}\" not found in namespace \"{}\"", plural(kind), name, ns);
    if (!object) return std::move(object).error();
    out.push_back(*std::move(object));
  }
  return out;
}

}  // namespace

Result<Exit> run_get(const GetOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, Engine::open(context));
  PORTICO_TRY(const auto kind, find_kind(options.type, engine->registry().kinds()));
  PORTICO_TRY(const auto objects,
              find(engine->registry(), kind, options.names,
                   options.all_namespaces ? "" : context.globals.ns, options.selector));
  if (objects.empty() && options.output.empty()) {
    context.terminal.error(options.all_namespaces
                               ? "no resources found"
                               : "no resources found in namespace " + context.globals.ns);
    return 0;
  }
  PORTICO_TRY(const std::string text, print_objects(kind, objects,
                                                    {.output = options.output,
                                                     .namespaces = options.all_namespaces,
                                                     .no_headers = options.no_headers,
                                                     .one = options.names.size() == 1},
                                                    engine->now()));
  context.terminal.write(text);
  return 0;
}

Result<Exit> run_describe(const DescribeOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, Engine::open(context));
  PORTICO_TRY(const auto kind, find_kind(options.type, engine->registry().kinds()));
  PORTICO_TRY(const auto objects,
              find(engine->registry(), kind, options.names, context.globals.ns, ""));
  for (const Value& object : objects) {
    Terminal& out = context.terminal;
    out.print("{}\n", out.paint(Colour::kBold, name_line(object)));
    out.print("Namespace: {}\nAge: {}\nState: {}\n", krm::namespace_of(object),
              age(object["metadata"]["creationTimestamp"].as_string(), engine->now()),
              state_of(object));
    for (const char* part : {"labels", "annotations"})
      if (const Value& map = object["metadata"][part]; !map.empty())
        out.print("{}:\n{}", part, to_yaml(map));
    if (const Value& spec = object["spec"]; !spec.is_null()) out.print("Spec:\n{}", to_yaml(spec));
    if (const Value& data = object["data"]; !data.is_null()) out.print("Data:\n{}", to_yaml(data));
    if (object["status"]["conditions"].size() > 0) {
      std::vector<std::vector<std::string>> rows{{"CONDITION", "STATUS", "REASON", "MESSAGE"}};
      for (const Value& condition : object["status"]["conditions"].items())
        rows.push_back({std::string(condition["type"].as_string()),
                        std::string(condition["status"].as_string()),
                        std::string(condition["reason"].as_string()),
                        std::string(condition["message"].as_string())});
      out.write(table(rows));
    }
    if (const Value rest = object["status"].without("conditions"); !rest.empty())
      out.print("Status:\n{}", to_yaml(rest));
    out.write("\n");
  }
  return 0;
}

Result<Exit> run_delete(const DeleteOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, Engine::open(context));
  store::Registry& registry = engine->registry();
  std::vector<Value> objects;
  if (!options.files.empty()) {
    PORTICO_TRY(const auto manifests, read_manifests(options.files, context.globals.ns));
    for (const Manifest& manifest : manifests) objects.push_back(manifest.object);
  } else {
    if (options.names.empty() && options.selector.empty())
      return invalid("name what to delete, or select it with -l");
    PORTICO_TRY(const auto kind, find_kind(options.type, registry.kinds()));
    if (kind == revisions::revision_key("", "").type)
      return invalid("package revisions are deleted with: portico rpkg delete NAME");
    PORTICO_TRY(objects, find(registry, kind, options.names, context.globals.ns, options.selector));
  }
  Exit exit = 0;
  for (const Value& object : objects) {
    const auto deleted = registry.commit(
        {{store::Verb::kDelete, object.without_at({"metadata", "resourceVersion"})}});
    if (deleted) {
      context.terminal.print("{} deleted\n", name_line(object));
    } else {
      context.terminal.error(deleted.error().text());
      exit = 1;
    }
  }
  if (options.wait.wait) PORTICO_DO(engine->settle(options.wait, context.terminal));
  return exit;
}

}  // namespace portico::cli
