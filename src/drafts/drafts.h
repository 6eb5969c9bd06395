// Builds drafts: source, mutations and render as one operation over the ports.
#pragma once

#include <memory>

#include "drafts/request.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"

namespace portico::drafts {

/// Safe from any thread.
class Drafts {
 public:
  virtual ~Drafts() = default;

  /// Reads, builds and runs the pipeline; stores nothing. plan and diff stop here.
  virtual Result<Built> build(const DraftRequest& request) = 0;
  /// build, then one PackageStore::save. kInvalid for what may not be drafted (check_draft.h).
  virtual Result<Drafted> draft(const DraftRequest& request) = 0;
};

/// What it is given must outlive it.
std::unique_ptr<Drafts> make_drafts(const registry::Registry& registry,
                                    packages::PackageStore& packages,
                                    const render::FunctionRunner& runner);

}  // namespace portico::drafts
