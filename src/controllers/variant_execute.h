// Arrow 14 of docs/life-of-a-variant.md: carries out a decision.
#pragma once

#include "controllers/variant_observe.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "variants/variant_status.h"

namespace portico::controllers {

struct Executed {
  variants::VariantOutcome outcome;
  std::optional<drafts::Drafted> drafted;  // for a step that makes content
};

/// The outcome holds the error if the step failed. The step may then be partly done; the next
/// decision continues from there.
Executed execute(const variants::VariantSnapshot& snapshot, variants::Decision decision,
                 registry::Registry& registry, packages::PackageStore& packages,
                 drafts::Drafts& drafts, const packages::Actor& actor);

}  // namespace portico::controllers
