// Revisions over git repositories and a store in this process.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "registry/registry.h"
#include "render/function_runner.h"
#include "revisions/revisions.h"

namespace portico::revisions {

struct EmbeddedOptions {
  registry::Registry& registry;
  const render::FunctionRunner& runner;
  const Clock& clock;
  std::string mirrors;  // folder of the bare mirrors of remotes
};

/// What it is given must outlive it.
std::unique_ptr<Revisions> make_embedded(const EmbeddedOptions& options);

}  // namespace portico::revisions
