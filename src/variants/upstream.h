// Which upstream revision a variant or set means, and whether a downstream is behind it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/package_variant.h"
#include "base/result.h"
#include "variants/revision.h"

namespace portico::variants {

/// The revision that `upstream` names now, among those observed (of any package):
///   revision N    the published revision N; -1: the head of the branch
///   workspaceName the revision of that workspace, whatever its lifecycle, or the branch's head; a
///                 positive revision beside it must agree
///   tag T         what <package>/T points to
///   constraint C  the highest published version that matches; revision N counts as N.0.0
///   none          the published revision with the highest number; in a repository without numbered
///                 revisions the highest version; without any tag the head of the branch
/// kNotFound where there is none (its appearance changes the answer); kInvalid for a constraint
/// that does not parse.
Result<Revision> resolve_upstream(const api::Upstream& upstream,
                                  std::span<const Revision> observed);

/// Whether content locked at `lock` has to be merged with `upstream`. The lock's repository,
/// directory and, where the choice is a revision and not a moving branch or workspace, its ref must
/// be the upstream's; then the commit, which for the head of a branch is the last one that changed
/// the package. Nothing is out of date without a lock: there is no base to merge from.
bool out_of_date(const api::Locator* lock, const Revision& upstream, const api::Upstream& choice);

}  // namespace portico::variants
