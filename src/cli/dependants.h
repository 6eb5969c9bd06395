// What would miss a Repository object that goes.
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
  std::size_t revisions = 0;       // that are not seen any more; git keeps them

  bool any() const { return !lines.empty(); }
};

/// The variants that read from the repository or write to it, and the sets that read from it; none
/// of `going`, which are deleted with it.
Result<Dependants> dependants_of(const registry::Registry& registry,
                                 const krm::ObjectKey& repository,
                                 const std::set<krm::ObjectKey>& going);

/// The first 20 lines, and what is lost from view.
void print_dependants(const Dependants& dependants, Terminal& out);

/// kInvalid: says --force.
Error needs_force(const Dependants& dependants);

}  // namespace portico::cli
