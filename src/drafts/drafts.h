// Builds drafts: source, mutations, render and save as one operation over the ports.
#pragma once

#include <memory>

#include "drafts/request.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"

namespace portico::drafts {

/// A package after one step of its build.
struct BuildStep {
  std::string what;  // "clone", "packageContext", "injection", "function set-labels:v0.2.0"
  std::shared_ptr<const krm::Package> content;
};

/// Thread-safe.
class Drafts {
 public:
  virtual ~Drafts() = default;

  /// Reads, builds and runs the pipeline, but stores nothing: for plan and diff.
  virtual Result<Built> build(const DraftRequest& request) = 0;
  /// The build of the package revision `upstream` (a name) step by step, without users' edits: with
  /// mutations that of the variant, else a clone. Ignores `source` and stores nothing.
  virtual Result<std::vector<BuildStep>> build_steps(const DraftRequest& request,
                                                     const std::string& upstream) = 0;
  /// build(), then one PackageStore::save(). kInvalid for a draft that is not allowed: for example
  /// a taken workspaceName, an unpublished source, a nested package.
  virtual Result<Drafted> draft(const DraftRequest& request) = 0;
};

/// The arguments must outlive it.
std::unique_ptr<Drafts> make_drafts(const registry::Registry& registry,
                                    packages::PackageStore& packages,
                                    const render::FunctionRunner& runner);

}  // namespace portico::drafts
