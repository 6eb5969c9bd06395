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

/// Reads the paths in order: a file, every *.yaml, *.yml and *.json below a folder (sorted), or "-"
/// for standard input. A List is expanded into its items. A document that is not an object is
/// kInvalid, with file and document. In folders, hidden entries and Kptfiles are skipped. Objects
/// without a namespace get `ns`.
Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths,
                                             const std::string& ns);

/// The same for a text; `source` is its name in errors.
Result<std::vector<Manifest>> manifests_of(const std::string& text, const std::string& source,
                                           const std::string& ns);

/// The whole file, or standard input for "-". kNotFound; kInvalid beyond `limit` bytes.
Result<std::string> read_text(const std::string& path, std::size_t limit = 64u << 20);

}  // namespace portico::engine
