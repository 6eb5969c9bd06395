// Objects from files, folders and standard input.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::engine {

struct Manifest {
  json::Value object;
  std::string source;  // "fleet/set.yaml", "fleet/set.yaml, document 2", "standard input"
};

/// Of each path in order: a file, every *.yaml, *.yml and *.json below a folder (sorted), or "-"
/// for standard input. A List is taken apart. Documents that are no objects are kInvalid with file
/// and document; a Kptfile is passed over in folders. Objects without a namespace get `ns`.
Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths,
                                             const std::string& ns);

/// The same of a text; `source` is what it is called.
Result<std::vector<Manifest>> manifests_of(const std::string& text, const std::string& source,
                                           const std::string& ns);

/// The whole file, or standard input for "-". kNotFound, kInvalid beyond `limit` bytes.
Result<std::string> read_text(const std::string& path, std::size_t limit = 64u << 20);

}  // namespace portico::engine
