#include "fnrun/runners.h"

#include <chrono>

namespace portico::fnrun {
namespace {

/// One word of a command, whatever is in it.
std::string quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\"'\"'") : std::string(1, c);
  return out + "'";
}

}  // namespace

Runners::Runners(RunnersOptions options)
    : options_(std::move(options)),
      exec_(options_.exec),
      container_(options_.container),
      cache_(options_.cache_bytes) {}

Result<render::FunctionOutcome> Runners::run(const render::FunctionRef& function,
                                             krm::ResourceList input) const {
  const auto begin = std::chrono::steady_clock::now();
  PORTICO_TRY(render::FunctionOutcome outcome, dispatch(function, std::move(input)));
  outcome.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
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
  return builtin_.run(function, std::move(input));  // which says what there is
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
  std::shared_ptr<const RemoteRunner> server =
      servers_.with([&](const auto& servers) -> std::shared_ptr<const RemoteRunner> {
        const auto found = servers.find(address);
        return found == servers.end() ? nullptr : found->second;
      });
  if (!server) {
    PORTICO_TRY(RemoteRunner made, RemoteRunner::connect(address, options_.evaluator));
    server = std::make_shared<const RemoteRunner>(std::move(made));
    servers_.with([&](auto& servers) { servers.insert_or_assign(address, server); });
  }
  return cache_.run(*server, address, function, std::move(input));
}

}  // namespace portico::fnrun
