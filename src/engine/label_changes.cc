#include "engine/label_changes.h"

#include "krm/meta.h"

namespace portico::engine {

using json::Value;

bool is_label_change(std::string_view word) {
  return word.find('=') != std::string_view::npos || word.ends_with('-');
}

Result<Done> add_label_change(std::string_view word, LabelChanges& changes) {
  const std::size_t equals = word.find('=');
  if (!is_label_change(word) || equals == 0 || word.size() < 2)
    return invalid("\"{}\" is neither KEY=VALUE nor KEY-", word);
  if (equals == std::string_view::npos)
    changes.removed.emplace_back(word.substr(0, word.size() - 1));
  else
    changes.set.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  return Done{};
}

Result<Value> with_label_changes(const Value& object, std::string_view field,
                                 const LabelChanges& changes, bool overwrite) {
  Value out = object;
  const Value& before = object["metadata"][field];
  for (const auto& [key, value] : changes.set) {
    if (const Value* has = before.find(key);
        has != nullptr && has->as_string() != value && !overwrite)
      return invalid("{} \"{}\" already has the value \"{}\"; change it with --overwrite", field,
                     key, has->as_string());
    out = out.with_at({"metadata", field, key}, value);
  }
  for (const std::string& key : changes.removed)
    if (out["metadata"][field].contains(key))
      out = out["metadata"][field].size() == 1 ? out.without_at({"metadata", field})
                                               : out.without_at({"metadata", field, key});
  PORTICO_DO(krm::validate_metadata(out));
  return out;
}

}  // namespace portico::engine
