// What a package revision would be without users' edits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "json/value.h"

namespace portico::cli {

/// The inputs to build the revision from, as its owning variant specifies them today, or a clone if
/// no variant owns it. kNotFound if no registered repository has the upstream revision of its lock.
struct Inputs {
  drafts::DraftRequest request;
  json::Value upstream;  // the revision
};
Result<Inputs> inputs_of(engine::Engine& engine, const json::Value& revision);

/// The pristine build that the revision is based on, from git; if none is recorded, a build from
/// today's inputs. kNotFound if neither is available.
struct PristineContent {
  std::shared_ptr<const krm::Package> content;
  std::string what;  // "commit 1a2b3c4d", "build of blueprints.web.v1 from current inputs"
  bool recorded = false;
};
Result<PristineContent> pristine_of(engine::Engine& engine, const json::Value& revision);

}  // namespace portico::cli
