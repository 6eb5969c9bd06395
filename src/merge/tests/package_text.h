// Reads and prints packages as text in case files.
#pragma once

#include <algorithm>
#include <string>

#include "krm/package.h"

namespace portico::merge {

/// Parses "=== path" lines, each followed by the file's text.
inline krm::Package package(const std::string& text) {
  krm::Package result;
  std::string path, bytes;
  const auto finish = [&] {
    if (!path.empty()) result.set(path, bytes);
    bytes.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (line.rfind("=== ", 0) == 0) {
      finish();
      path = line.substr(4, line.size() - 5);
    } else {
      bytes += line;
    }
  }
  finish();
  return result;
}

inline std::string print(const krm::Package& package) {
  std::string text;
  for (const auto& [path, file] : package.files) text += "=== " + path + "\n" + file.text();
  return text;
}

}  // namespace portico::merge
