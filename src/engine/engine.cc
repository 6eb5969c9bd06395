#include "engine/engine.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "base/time.h"
#include "engine/embedded_engine.h"
#include "engine/remote_engine.h"
#include "engine/state.h"

namespace portico::engine {

std::string Engine::now() const { return rfc3339(clock().now()); }

namespace {

Result<std::unique_ptr<Engine>> open_for(const Context& context, EmbeddedEngine::Use use) {
  if (names_server(context.globals)) {
    PORTICO_TRY(auto remote, RemoteEngine::connect(context));
    return std::unique_ptr<Engine>(std::move(remote));
  }
  PORTICO_TRY(const std::string folder, find_state(context.globals.state));
  if (serves(folder)) {
    PORTICO_TRY(auto remote, RemoteEngine::connect_to(folder, context));
    return std::unique_ptr<Engine>(std::move(remote));
  }
  // The process that holds the folder may be about to serve it.
  bool served = false;
  auto embedded = EmbeddedEngine::open(
      context, {.folder = folder, .use = use, .give_way = [&] { return served = serves(folder); }});
  if (embedded) return std::unique_ptr<Engine>(*std::move(embedded));
  if (!served) return std::move(embedded).error();
  PORTICO_TRY(auto remote, RemoteEngine::connect_to(folder, context));
  return std::unique_ptr<Engine>(std::move(remote));
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(const Context& context) {
  return open_for(context, EmbeddedEngine::Use::kAlone);
}

Result<std::unique_ptr<Engine>> Engine::read(const Context& context) {
  return open_for(context, EmbeddedEngine::Use::kRead);
}

namespace {

// In place of `git config KEY`, without starting git: the variables that git reads first.
std::string from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

}  // namespace

packages::Actor current_actor() {
  packages::Actor actor{from_environment("GIT_AUTHOR_NAME"), from_environment("GIT_AUTHOR_EMAIL")};
  if (actor.name.empty()) {
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
      actor.name = entry.pw_name;
    if (actor.name.empty()) actor.name = "portico";
  }
  if (actor.email.empty()) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    actor.email = actor.name + "@" + host.data();
  }
  return actor;
}

}  // namespace portico::engine
