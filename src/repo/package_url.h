// A package as people name it on a command line.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/kptfile.h"

namespace portico::repo {

/// kpt's REPO_URI[.git]/PKG_PATH[@VERSION] as repository, directory ("/web") and ref ("" where no
/// version is named): ".git" says where the repository ends, and is left out as kpt leaves it out.
/// It is not needed for https://github.com/OWNER/REPO/... (with or without tree/REF), and for a
/// folder on this machine that is in a repository. Paths on this machine become absolute. kInvalid
/// where it is not clear what is the repository.
Result<krm::GitLocation> parse_package_url(std::string_view text);

}  // namespace portico::repo
