// What a package revision would be without people's edits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "json/value.h"

namespace portico::cli {

/// What the revision is made from, by today's inputs of the variant that owns it: a clone where
/// none does. kNotFound where no registered repository has the upstream revision of its lock.
struct Inputs {
  drafts::DraftRequest request;
  json::Value upstream;  // the revision
};
Result<Inputs> inputs_of(engine::Engine& engine, const json::Value& revision);

/// The pristine build that the revision came from, as git has it; where none is recorded, what
/// today's inputs make. kNotFound where neither can be had.
struct PristineContent {
  std::shared_ptr<const krm::Package> content;
  std::string what;  // "commit 1a2b3c4d", "build of blueprints.web.v1 by today's inputs"
  bool recorded = false;
};
Result<PristineContent> pristine_of(engine::Engine& engine, const json::Value& revision);

}  // namespace portico::cli
