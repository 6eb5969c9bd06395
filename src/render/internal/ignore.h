// .krmignore: files of a package that are not its resources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico::render {

/// gitignore patterns, without "**": `*`, `?`, `[a-z]`, a leading '!' to take back, a '/' inside or
/// in front to bind to the package's folder, one at the end for folders only. The last pattern that
/// matches counts; below an ignored folder everything is ignored.
class IgnoreList {
 public:
  IgnoreList() = default;
  explicit IgnoreList(std::string_view text);

  /// `path` of a file below the package's folder.
  bool ignores(std::string_view path) const;

 private:
  struct Rule {
    std::string pattern;
    bool negated = false, anchored = false, folders_only = false;
  };
  bool matches(std::string_view path, bool is_folder) const;
  std::vector<Rule> rules_;
};

}  // namespace portico::render
