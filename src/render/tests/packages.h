// Builds packages from text, for tests.
#pragma once

#include <fmt/format.h>

#include <sstream>
#include <string>

#include "krm/package.h"

namespace portico::render {

/// Files are separated by lines "== path ==".
inline krm::Package package_of(const std::string& text) {
  krm::Package package;
  std::istringstream lines(text);
  std::string path;
  for (std::string line, body; std::getline(lines, line);) {
    if (line.starts_with("== ") && line.ends_with(" ==")) {
      path = line.substr(3, line.size() - 6);
      package.set(path, "");
    } else if (!path.empty()) {
      package.set(path, package.find(path)->text() + line + "\n");
    }
  }
  return package;
}

/// The files that differ, in the same format.
inline std::string changes(const krm::Package& before, const krm::Package& after) {
  std::string text;
  for (const auto& [path, file] : after.files) {
    const krm::File* old = before.find(path);
    if (old != nullptr && *old == file) continue;
    text += fmt::format("== {} ==\n{}", path, file.text());
  }
  for (const auto& [path, file] : before.files)
    if (after.find(path) == nullptr) text += fmt::format("== {} == is gone\n", path);
  return text;
}

}  // namespace portico::render
