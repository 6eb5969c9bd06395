// The real git program on temporary repositories, for tests.
#pragma once

#include <string>
#include <vector>

namespace portico::testing {

struct GitOutput {
  int status = 0;
  std::string text;  // standard output and error combined
};

/// Runs `git -C folder <arguments>` without a shell and waits for it.
GitOutput git_try(const std::string& folder, const std::vector<std::string>& arguments);

/// Like git_try(), but fails the test if git fails; returns the output without its last newline.
std::string git(const std::string& folder, const std::vector<std::string>& arguments);

/// Creates a bare repository below `parent` with one empty commit on `branch`; returns its path.
std::string make_bare(const std::string& parent, const std::string& name,
                      const std::string& branch = "main");

/// "" if `git fsck --full --strict` finds no problem in the repository.
std::string fsck(const std::string& folder);

}  // namespace portico::testing
