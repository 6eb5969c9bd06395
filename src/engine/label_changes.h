// Changes of labels and annotations as kubectl label and annotate write them.
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

/// Adds a word to the changes. kInvalid where it is none.
Result<Done> add_label_change(std::string_view word, LabelChanges& changes);

/// The object with changed metadata.labels or metadata.annotations (`field`). kInvalid where a key
/// has another value already and `overwrite` is not said, or a key or value is not a valid one.
Result<json::Value> with_label_changes(const json::Value& object, std::string_view field,
                                       const LabelChanges& changes, bool overwrite);

}  // namespace portico::engine
