// Differences as text for users: unified diffs in the format of git and patch(1), without color.
#pragma once

#include <string>
#include <string_view>

#include "krm/package.h"

namespace portico::krm {

struct DiffOptions {
  std::size_t context = 3;
};

/// The hunks that turn `before` into `after`; "" if they are equal. A last line without a line
/// break is followed by "\ No newline at end of file".
std::string diff_text(std::string_view before, std::string_view after,
                      const DiffOptions& options = {});

/// All files that differ, by path, with git's headers ("diff --git", modes, "--- a/x", "+++ b/x",
/// /dev/null for new and deleted files). For binary files: "Binary files ... differ".
std::string diff_packages(const Package& before, const Package& after,
                          const DiffOptions& options = {});

/// Summarizes the output of diff_packages(): the numbers of added and deleted lines, per file and
/// in total. "" if nothing differs.
std::string diff_stat(std::string_view diff);

}  // namespace portico::krm
