// .krmignore: package files that are not resources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico::render {

/// gitignore patterns without "**": `*`, `?`, `[a-z]`, a leading '!' to re-include, a '/' at the
/// start or inside to anchor the pattern at the package's folder, a trailing '/' for folders only.
/// The last matching pattern applies; everything below an ignored folder is ignored.
class IgnoreList {
 public:
  IgnoreList() = default;
  explicit IgnoreList(std::string_view text);

  /// `path` is relative to the package's folder.
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
