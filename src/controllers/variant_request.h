// From a decision to the request that carries it out: arrow 10 of docs/life-of-a-variant.md. Pure.
#pragma once

#include <optional>

#include "drafts/request.h"
#include "packages/package_store.h"
#include "variants/decide.h"

namespace portico::controllers {

/// The draft that a Clone, an upgrade or an edit asks for; nothing for every other step.
std::optional<drafts::DraftRequest> request_of(const variants::VariantSnapshot& snapshot,
                                               const variants::Decision& decision,
                                               const packages::Actor& actor);

}  // namespace portico::controllers
