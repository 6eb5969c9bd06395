// The folder of `rpkg pull` and `rpkg push`.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "folder/folder.h"
#include "krm/package.h"

namespace portico::cli {

/// The content of folder::kRevisionMetadata: the revision, and the files written, to detect edits.
/// `files` (path to SHA-256) is Portico's own; porchctl neither writes nor rejects it.
struct PullMetadata {
  std::string name, ns, resource_version;
  std::map<std::string, std::string> files;
};

/// nullopt if `dir` does not exist or was not pulled.
Result<std::optional<PullMetadata>> read_pulled(const std::string& dir);

/// Whether the package is unchanged since the pull: then the revision has changed only outside its
/// content.
bool is_as_pulled(const krm::Package& package, const PullMetadata& pulled);

/// Makes `dir` hold the package and its metadata. kInvalid, with nothing changed, if it holds other
/// files, or edits that are not in the package. `force` overwrites these; in a folder that was not
/// pulled it keeps files that are not in the package.
Result<folder::Written> write_pulled(const std::string& dir, const krm::Package& package,
                                     const PullMetadata& pulled, bool force);

/// After a push: changes `dir`, which holds `before` and its metadata, to the package.
Result<folder::Written> update_pulled(const std::string& dir, krm::Package before,
                                      const krm::Package& package, const PullMetadata& pulled);

/// Warns of links that lead out of the package.
void note_links(const folder::Written& written, Terminal& terminal);

}  // namespace portico::cli
