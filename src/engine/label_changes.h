// Label and annotation changes in the syntax of kubectl label and annotate.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::engine {

struct LabelChanges {
  std::vector<std::pair<std::string, std::string>> set;  // key and value
  std::vector<std::string> removed;                      // keys
};

/// Whether the word is a change: KEY=VALUE, or KEY- to remove it.
bool is_label_change(std::string_view word);

/// Adds a word to the changes. kInvalid if it is not a change.
Result<Done> add_label_change(std::string_view word, LabelChanges& changes);

/// The object with changed metadata.labels or metadata.annotations (`field`). kInvalid if a key
/// already has another value and `overwrite` is false, or if a key or value is not valid.
Result<json::Value> with_label_changes(const json::Value& object, std::string_view field,
                                       const LabelChanges& changes, bool overwrite);

}  // namespace portico::engine
