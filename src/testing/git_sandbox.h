// The real git program on temporary repositories, for tests.
#pragma once

#include <string>
#include <vector>

namespace portico::testing {

struct GitOutput {
  int status = 0;
  std::string text;  // standard output and error together
};

/// Runs `git -C folder <arguments>` without a shell and waits.
GitOutput git_try(const std::string& folder, const std::vector<std::string>& arguments);

/// The same, and a test failure where git fails; the output without its last line end.
std::string git(const std::string& folder, const std::vector<std::string>& arguments);

/// A bare repository below `parent` with one empty commit on `branch`; its path.
std::string make_bare(const std::string& parent, const std::string& name,
                      const std::string& branch = "main");

/// "" where `git fsck --full --strict` finds nothing wrong with the repository.
std::string fsck(const std::string& folder);

}  // namespace portico::testing
