// Packages as text in case files.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/result.h"
#include "json/value.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package {

inline json::Value from_yaml(const std::string& text) {
  auto object = krm::Object::parse(text);
  if (!object) throw std::runtime_error(object.error().text());
  return object->value();
}

/// A sequence of files, each preceded by "== path ==".
inline krm::Package package_from(const std::string& text) {
  krm::Package package;
  std::string path;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("== ") && line.ends_with(" ==")) {
      path = line.substr(3, line.size() - 6);
      package.set(path, "");
    } else if (!path.empty()) {
      package.set(path, package.find(path)->text() + line + "\n");
    }
  }
  return package;
}

inline std::string shown(const Result<krm::Package>& package) {
  if (!package)
    return std::string(name(package.error().code)) + ": " + package.error().text() + "\n";
  std::string out;
  for (const auto& [path, file] : package->files) out += "== " + path + " ==\n" + file.text();
  return out;
}

}  // namespace portico::package
