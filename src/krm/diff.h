// What differs, as text for people: unified diffs as git and patch(1) write them, without colour.
#pragma once

#include <string>
#include <string_view>

#include "krm/package.h"

namespace portico::krm {

struct DiffOptions {
  std::size_t context = 3;
};

/// The hunks that turn `before` into `after`; "" where they are the same. A last line without a
/// break is followed by "\ No newline at end of file".
std::string diff_text(std::string_view before, std::string_view after,
                      const DiffOptions& options = {});

/// Every file that differs, by path, with git's headers ("diff --git", modes, "--- a/x", "+++ b/x",
/// /dev/null for what is new or gone). Files that are not text: "Binary files ... differ".
std::string diff_packages(const Package& before, const Package& after,
                          const DiffOptions& options = {});

/// Of what diff_packages() gave: each file with how many lines are new and gone, and all together.
/// "" where nothing differs.
std::string diff_stat(std::string_view diff);

}  // namespace portico::krm
