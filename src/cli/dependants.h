// The objects that depend on a Repository that is to be deleted.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cli {

struct Dependants {
  std::string repository;
  std::vector<std::string> lines;  // "packagevariant web-edge01: its package is edge01/web"
  std::size_t revisions = 0;       // no longer visible without it; git keeps them

  bool any() const { return !lines.empty(); }
};

/// The variants that read from or write to the repository, and the sets that read from it, except
/// those in `going`, which are deleted with it.
Result<Dependants> dependants_of(const registry::Registry& registry,
                                 const krm::ObjectKey& repository,
                                 const std::set<krm::ObjectKey>& going);

/// Prints the first 20 lines, and how many package revisions become invisible.
void print_dependants(const Dependants& dependants, Terminal& out);

/// kInvalid: asks for --force.
Error needs_force(const Dependants& dependants);

}  // namespace portico::cli
