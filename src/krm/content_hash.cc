#include "krm/content_hash.h"

#include <string_view>

#include "base/hash.h"

namespace portico::krm {
namespace {

// git's modes.
std::string_view mode_text(FileMode mode) {
  switch (mode) {
    case FileMode::kExecutable:
      return "100755";
    case FileMode::kSymlink:
      return "120000";
    case FileMode::kRegular:
      break;
  }
  return "100644";
}

}  // namespace

std::string content_hash(const Package& package) {
  // In the format of `git ls-tree -z`: paths contain no NUL, so different packages have different
  // lists.
  std::string list;
  for (const auto& [path, file] : package.files) {
    list += mode_text(file.mode);
    list += ' ';
    list += sha256_hex(file.text());
    list += '\t';
    list += path;
    list += '\0';
  }
  return sha256_hex(list);
}

}  // namespace portico::krm
