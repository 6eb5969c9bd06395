// From a decision to the request that carries it out: arrow 10 of docs/life-of-a-variant.md. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drafts/request.h"
#include "packages/package_store.h"
#include "variants/decide.h"

namespace portico::controllers {

/// What a build has injected, as variants::inputs_hash takes it.
std::vector<variants::InjectedState> injected_states(
    const std::vector<package::InjectionRecord>& records);

/// "Approve: policy always", for the trailers of the commit.
std::string decision_text(const variants::Decision& decision);

/// The draft that a Clone, an upgrade, an edit or a Rebase asks for; nothing for every other step.
std::optional<drafts::DraftRequest> request_of(const variants::VariantSnapshot& snapshot,
                                               const variants::Decision& decision,
                                               const packages::Actor& actor);

/// The beginning of every request of a variant: its downstream package and what it changes there.
drafts::DraftRequest request_of(const api::PackageVariant& variant, const packages::Actor& actor);

}  // namespace portico::controllers
