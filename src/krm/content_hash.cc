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
  // As `git ls-tree -z` would list them: a path holds no NUL, so no two packages have one list.
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
