// Parses a package URL as given on a command line.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/kptfile.h"

namespace portico::repo {

/// Splits kpt's REPO_URI[.git]/PKG_PATH[@VERSION] into repository, directory ("/web") and ref (""
/// if there is no version). ".git" marks the end of the repository and is dropped, as kpt does. It
/// is not needed for https://github.com/OWNER/REPO/... (with or without tree/REF), or for a folder
/// on this machine inside a repository. Paths on this machine become absolute. kInvalid if the
/// repository cannot be determined.
Result<krm::GitLocation> parse_package_url(std::string_view text);

}  // namespace portico::repo
