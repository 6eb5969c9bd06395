// The lifecycle of a package revision.
#pragma once

#include <optional>
#include <string_view>

namespace portico::krm {

enum class Lifecycle { kDraft, kProposed, kPublished, kDeletionProposed };

/// "Draft", "Proposed", "Published", "DeletionProposed".
const char* name(Lifecycle lifecycle);
/// nullopt for any other text.
std::optional<Lifecycle> parse_lifecycle(std::string_view text);

/// Published, or published and proposed for deletion.
inline bool is_published(Lifecycle lifecycle) {
  return lifecycle == Lifecycle::kPublished || lifecycle == Lifecycle::kDeletionProposed;
}

}  // namespace portico::krm
