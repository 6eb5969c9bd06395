// The package revision that one branch or tag stands for.
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

/// Where refs stand for one package revision each. The branch head, which stands for many, and the
/// markers of deletion are not among them.
inline constexpr std::array<std::string_view, 5> kRevisionPrefixes{
    kDraftRefs, kLocalDraftRefs, kProposedRefs, kLocalProposedRefs, kTagRefs};

/// nullopt where the ref is of another kind, its package is not below `directory` (clean, names.h),
/// or its commit has no Kptfile there. Deletion markers are not considered.
Result<std::optional<Revision>> load_revision(const git::ReadObject& read,
                                              std::string_view directory, const git::Ref& ref);

/// "name <mail>".
std::string author_of(const git::Commit& commit);

}  // namespace portico::repo
