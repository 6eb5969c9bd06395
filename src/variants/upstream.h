// Which upstream revision a variant or set refers to, and whether a downstream is out of date.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/package_variant.h"
#include "base/result.h"
#include "variants/revision.h"

namespace portico::variants {

/// The revision that `upstream` currently refers to, among those observed (of any package):
///   revision N    the published revision N; -1: the head of the branch
///   workspaceName the revision of that workspace, in any lifecycle, or the branch's head; if a
///                 positive revision is given as well, it must match
///   tag T         the revision that <package>/T points to
///   constraint C  the highest published version that matches; revision N counts as N.0.0
///   none          the published revision with the highest number; without numbered revisions the
///                 highest release version; without such a tag the head of the branch
/// kNotFound if there is none (the answer changes when it appears); kInvalid for a constraint that
/// does not parse.
Result<Revision> resolve_upstream(const api::Upstream& upstream,
                                  std::span<const Revision> observed);

/// Whether content with the upstream lock `lock` has to be merged with `upstream`: whether the
/// repository, directory, ref or commit of the lock differ from the upstream's. The ref is compared
/// only if the choice is a revision, not a tag, a moving branch or a workspace. The commit of a
/// branch head is the last one that changed the package. Without a lock nothing is out of date,
/// because there is no base to merge from.
bool out_of_date(const api::Locator* lock, const Revision& upstream, const api::Upstream& choice);

}  // namespace portico::variants
