// Loads the package revision of one branch or tag.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "git/object_db.h"
#include "git/refs.h"
#include "repo/names.h"
#include "repo/repository.h"

namespace portico::repo {

/// Prefixes of refs that each represent one package revision. The branch head, which represents
/// many, and the deletion markers are not included.
inline constexpr std::array<std::string_view, 5> kRevisionPrefixes{
    kDraftRefs, kLocalDraftRefs, kProposedRefs, kLocalProposedRefs, kTagRefs};

/// nullopt if the ref is of another kind, its package is not below `directory` (normalized,
/// names.h), or its commit has no Kptfile there. Deletion markers are ignored.
Result<std::optional<Revision>> load_revision(const git::ReadObject& read,
                                              std::string_view directory, const git::Ref& ref);

/// "name <mail>".
std::string author_of(const git::Commit& commit);

}  // namespace portico::repo
