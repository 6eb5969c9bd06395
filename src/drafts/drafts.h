// Builds drafts: source, mutations and render as one operation over the ports.
#pragma once

#include <memory>

#include "drafts/request.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"

namespace portico::drafts {

/// What a package is after one step of its build.
struct BuildStep {
  std::string what;  // "clone", "packageContext", "injection", "function set-labels:v0.2.0"
  std::shared_ptr<const krm::Package> content;
};

/// Safe from any thread.
class Drafts {
 public:
  virtual ~Drafts() = default;

  /// Reads, builds and runs the pipeline; stores nothing. plan and diff stop here.
  virtual Result<Built> build(const DraftRequest& request) = 0;
  /// What the inputs make of the package `upstream` (a name), one step after the other, with
  /// nobody's edits: of a request with mutations what its variant makes, else a clone. Nothing is
  /// stored, and `source` does not count.
  virtual Result<std::vector<BuildStep>> build_steps(const DraftRequest& request,
                                                     const std::string& upstream) = 0;
  /// build, then one PackageStore::save. kInvalid for what may not be drafted (check_draft.h).
  virtual Result<Drafted> draft(const DraftRequest& request) = 0;
};

/// What it is given must outlive it.
std::unique_ptr<Drafts> make_drafts(const registry::Registry& registry,
                                    packages::PackageStore& packages,
                                    const render::FunctionRunner& runner);

}  // namespace portico::drafts
