// Generated names of variants and workspaces.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "variants/revision.h"
#include "variants/variant_key.h"

namespace portico::variants {

/// "<set>-<repo>-<package>": the basis of a variant's name.
std::string variant_identifier(std::string_view set, const VariantKey& key);

/// The name of a set's variant for `key`: the identifier with invalid characters replaced. If that
/// changed it, if it is longer than 63 bytes, or if it is in `taken` (and therefore belongs to
/// another key), it is cut to 54 bytes, and "-" and the first 8 hex digits of a SHA-1 are appended.
/// The SHA-1 is that of the identifier, or that of the set and key if the identifier's name is
/// taken too.
std::string variant_name(std::string_view set, const VariantKey& key,
                         const std::set<std::string, std::less<>>& taken = {});

/// "packagevariant-N", where N is one more than the highest number among the package's revisions.
std::string next_workspace_name(std::span<const Revision> observed, const VariantKey& downstream);

}  // namespace portico::variants
