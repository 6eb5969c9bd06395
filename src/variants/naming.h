// Names that are made: of variants and workspaces.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "variants/revision.h"
#include "variants/variant_key.h"

namespace portico::variants {

/// "<set>-<repo>-<package>": what a variant's name starts from.
std::string variant_identifier(std::string_view set, const VariantKey& key);

/// The name of a set's variant for `key`: the identifier, with '-' for what a name may not hold. If
/// that changed it, if it is longer than 63 bytes, or if the result is in `taken` (which then
/// belongs to another key), it is cut to 54 bytes and "-" and the first 8 hex digits of a SHA-1 are
/// added: of the identifier, or of the pair where the identifier's name is taken too.
std::string variant_name(std::string_view set, const VariantKey& key,
                         const std::set<std::string, std::less<>>& taken = {});

/// "packagevariant-N", N one more than the highest among the revisions of that package.
std::string next_workspace_name(std::span<const Revision> observed, const VariantKey& downstream);

}  // namespace portico::variants
