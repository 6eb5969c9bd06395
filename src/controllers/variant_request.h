// Turns a decision into the request that carries it out: arrow 10 of docs/life-of-a-variant.md.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drafts/request.h"
#include "packages/package_store.h"
#include "variants/decide.h"

namespace portico::controllers {

/// The objects that a build injected, in the form that variants::inputs_hash takes.
std::vector<variants::InjectedState> injected_states(
    const std::vector<package::InjectionRecord>& records);

/// "Approve: policy always", for the trailers of the commit.
std::string decision_text(const variants::Decision& decision);

/// The draft that a Clone, upgrade, edit or Rebase asks for; nullopt for every other step.
std::optional<drafts::DraftRequest> request_of(const variants::VariantSnapshot& snapshot,
                                               const variants::Decision& decision,
                                               const packages::Actor& actor);

/// The common part of all requests of a variant: its downstream package and the changes it makes
/// there.
drafts::DraftRequest request_of(const api::PackageVariant& variant, const packages::Actor& actor);

}  // namespace portico::controllers
