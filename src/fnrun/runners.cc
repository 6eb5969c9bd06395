#include "fnrun/runners.h"

#include <chrono>

#include "base/tracer.h"

namespace portico::fnrun {
namespace {

// Limit of kept connections; FunctionConfigs name few servers, but those change over time.
constexpr std::size_t kMostServers = 64;

/// Quotes a text as one word of a command.
std::string quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\"'\"'") : std::string(1, c);
  return out + "'";
}

/// The image without registry, tag and digest; "exec" for a program.
std::string label_of(const render::FunctionRef& function) {
  if (!function.exec.empty()) return "exec";
  const std::string image = function.image.substr(0, function.image.find('@'));
  const std::string name = image.substr(image.rfind('/') + 1);
  return name.substr(0, name.find(':'));
}

}  // namespace

Runners::Runners(RunnersOptions options)
    : options_(std::move(options)),
      exec_(options_.exec),
      container_(options_.container),
      cache_(options_.cache_bytes),
      servers_(kMostServers) {
  if (options_.meter == nullptr) return;
  reading_ = options_.meter->on_read([this] {
    const ResultCache::Counts counts = cache_.counts();
    options_.meter->set("portico_function_cache_bytes", "Size of the cached function results.", {},
                        static_cast<double>(counts.bytes));
    options_.meter->set("portico_function_cache_entries", "Number of cached function results.", {},
                        static_cast<double>(counts.entries));
    options_.meter->set("portico_function_cache_hits",
                        "Function runs that were served from the cache.", {},
                        static_cast<double>(counts.hits));
    options_.meter->set("portico_function_cache_misses",
                        "Function runs that were not in the cache.", {},
                        static_cast<double>(counts.misses));
  });
}

Result<render::FunctionOutcome> Runners::run(const render::FunctionRef& function,
                                             krm::ResourceList input) const {
  Span span("function");
  if (span) {
    span.rename("function " + label_of(function));
    span.set("portico.function.image", function.image);
    span.set("portico.function.program", function.exec);
  }
  const auto begin = std::chrono::steady_clock::now();
  auto outcome = dispatch(function, std::move(input));
  const auto took = std::chrono::steady_clock::now() - begin;
  if (options_.meter != nullptr)
    options_.meter->took("portico_function_duration_seconds",
                         "Duration of function runs, by image and outcome.",
                         {{"image", label_of(function)},
                          {"outcome", !outcome                  ? name(outcome.error().code)
                                      : outcome->exit_code == 0 ? "ok"
                                                                : "failed"}},
                         std::chrono::duration<double>(took).count());
  span.ends_as(outcome);
  if (outcome && outcome->exit_code != 0)
    span.fail(fmt::format("exited with code {}", outcome->exit_code));
  if (outcome) outcome->took = std::chrono::duration_cast<std::chrono::milliseconds>(took);
  return outcome;
}

Runners::Outcome Runners::dispatch(const render::FunctionRef& function,
                                   krm::ResourceList input) const {
  if (!function.exec.empty()) return cache_.run(exec_, "program", function, std::move(input));
  if (options_.configs)
    if (const auto choice = choose(options_.configs(), function.image))
      return run_as(*choice, function, std::move(input));
  if (options_.builtin && BuiltinRunner::has(function))
    return builtin_.run(function, std::move(input));
  if (!options_.function_runner.empty())
    return run_remote(options_.function_runner, function, std::move(input));
  if (options_.containers) return cache_.run(container_, "container", function, std::move(input));
  return builtin_.run(function, std::move(input));  // its error lists the alternatives
}

Runners::Outcome Runners::run_as(const Choice& choice, const render::FunctionRef& function,
                                 krm::ResourceList input) const {
  switch (choice.executor) {
    case Executor::kBuiltin:
      return builtin_.run({choice.what, "", ""}, std::move(input));
    case Executor::kProgram:
      return cache_.run(exec_, "program", {"", quoted(choice.what), ""}, std::move(input));
    case Executor::kRemote:
      return run_remote(choice.what, function, std::move(input));
    case Executor::kContainer:
      return cache_.run(container_, "container", function, std::move(input));
  }
  return internal("no executor");
}

Runners::Outcome Runners::run_remote(const std::string& address,
                                     const render::FunctionRef& function,
                                     krm::ResourceList input) const {
  std::shared_ptr<const RemoteRunner> server = servers_.find(address);
  if (!server) {
    PORTICO_TRY(RemoteRunner made, RemoteRunner::connect(address, options_.evaluator));
    server = servers_.add(address, std::make_shared<const RemoteRunner>(std::move(made)));
  }
  return cache_.run(*server, address, function, std::move(input));
}

}  // namespace portico::fnrun
