#include "functions/starlark.h"

#include <fmt/format.h>

#include "base/shortened.h"
#include "functions/internal/config.h"
#include "functions/internal/outcome.h"
#include "functions/internal/starlark_modules.h"
#include "functions/internal/starlark_resources.h"
#include "starlark/program.h"

namespace portico::functions {

namespace {

constexpr starlark::Dialect kDialect{.sets = true, .recursion = true, .top_level = true};

struct Config {
  std::string name, source;
};

/// "group/version, Kind=kind".
std::string kind_text(const krm::Object& object) {
  return fmt::format("{}/{}, Kind={}", group_of(object), version_of(object), object.kind());
}

Result<Config> read_config(const std::optional<krm::Object>& config) {
  if (!config) return invalid("FunctionConfig is missing. Expect `ConfigMap` or `StarlarkRun`");
  Config result;
  if (is_config_map(*config)) {
    const auto data = texts(*config, "data");
    if (const auto source = data.find("source"); source != data.end())
      result.source = source->second;
  } else if (is_gvk(*config, "fn.kpt.dev", "v1alpha1", "StarlarkRun")) {
    const json::Value& source = config->value()["source"];
    if (!source.is_null() && !source.is_string()) return invalid("`source` must be a string");
    result.source = source.as_string();
  } else {
    return invalid(
        "`functionConfig` must be either /v1, Kind=ConfigMap or fn.kpt.dev/v1alpha1, "
        "Kind=StarlarkRun, but we got: {}",
        kind_text(*config));
  }
  result.name = config->name().empty() ? "starlark-function-run" : std::string(config->name());
  if (result.source.empty()) return invalid("`source` must not be empty");
  return result;
}

/// Puts lines before the function's own stderr text.
Outcome with_lines(Outcome outcome, std::string lines) {
  if (!lines.empty() && !outcome.stderr_text.empty()) lines += '\n';
  outcome.stderr_text = lines + outcome.stderr_text;
  return outcome;
}

starlark::Value context(starlark::Heap& heap, starlark::Value resource_list,
                        std::string_view source) {
  std::vector<std::pair<std::string, starlark::Value>> fields{
      {"resource_list", resource_list},
      // Programs see nothing of the machine that they run on.
      {"environment", heap.dict()}};
  // Large, and only reachable by name.
  const bool wanted = source.find("open_api") != std::string_view::npos;
  fields.emplace_back("open_api", wanted ? open_api(heap) : heap.dict());
  return heap.structure(std::move(fields));
}

// Limit for a program's output in bytes, like for the stderr of other programs: output is scanned,
// shown and stored, which takes longer than to print it.
constexpr std::size_t kMostSaid = 1u << 20;

}  // namespace

Outcome starlark(krm::ResourceList list) {
  const auto config = read_config(list.function_config);
  if (!config) return fail(std::move(list), config.error().what);
  const auto program = starlark::Program::compile(config->source, config->name, {"ctx"}, kDialect);
  if (!program) return fail(std::move(list), program.error().what);

  starlark::Heap heap;
  const StarlarkItems items(heap, list.items);
  const starlark::Value resource_list = heap.dict();
  for (const auto& [key, value] : {
           std::pair{"apiVersion", heap.string("config.kubernetes.io/v1")},
           std::pair{"functionConfig", to_starlark(heap, list.function_config->value())},
           std::pair{"items", items.list()},
           std::pair{"kind", heap.string("ResourceList")},
       })
    if (auto set = heap.set(resource_list, heap.string(key), value); !set)
      return fail(std::move(list), set.error().what);

  std::string printed;
  starlark::Environment environment;
  environment.predeclared["ctx"] = context(heap, resource_list, config->source);
  environment.load = load_starlark_module;
  environment.print = [&printed](std::string_view line) {
    constexpr std::size_t kLeast = 64;  // smallest length to which a line can be cut
    if (printed.size() + kLeast > kMostSaid) return;
    if (!printed.empty()) printed += '\n';
    printed += shortened(line, kMostSaid - printed.size());
  };
  const starlark::Outcome outcome = program->run(heap, environment);
  if (outcome.failure) {
    // A program that fails on purpose has given its reason; any other failure needs its location.
    if (outcome.failure->kind != starlark::Failure::Kind::kFail)
      printed += (printed.empty() ? "" : "\n") + outcome.failure->traceback();
    return with_lines(fail(std::move(list), shortened(outcome.failure->message, kMostSaid)),
                      std::move(printed));
  }
  auto collected = items.collect(resource_list.find("items").value_or(starlark::Value()));
  if (!collected)
    return with_lines(fail(std::move(list), collected.error().text()), std::move(printed));
  list.items = *std::move(collected);
  return with_lines(done(std::move(list)), std::move(printed));
}

}  // namespace portico::functions
