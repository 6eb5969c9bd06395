// The folder between `rpkg pull` and `rpkg push`.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "folder/folder.h"
#include "krm/package.h"

namespace portico::cli {

/// What folder::kRevisionMetadata holds: the revision, and what was written, so that edits can be
/// told from it. `files` (path to SHA-256) is ours; porchctl neither writes nor minds it.
struct Pulled {
  std::string name, ns, resource_version;
  std::map<std::string, std::string> files;
};

/// nullopt where `dir` is not there or was not pulled.
Result<std::optional<Pulled>> read_pulled(const std::string& dir);

/// Whether the package is what was pulled: then what changed of the revision since is not content.
bool is_as_pulled(const krm::Package& package, const Pulled& pulled);

/// Makes `dir` hold the package and its metadata. kInvalid, and nothing changed, where it holds
/// files of others, or edits that are not in the package; `force` overwrites these, and leaves
/// alone what stands beside a package that was not pulled.
Result<folder::Written> write_pulled(const std::string& dir, const krm::Package& package,
                                     const Pulled& pulled, bool force);

/// `dir`, which holds `before` besides its metadata, becomes the package: after a push.
Result<folder::Written> update_pulled(const std::string& dir, krm::Package before,
                                      const krm::Package& package, const Pulled& pulled);

/// Warns of links that lead out of the package.
void note_links(const folder::Written& written, Terminal& terminal);

}  // namespace portico::cli
