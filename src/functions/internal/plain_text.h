// Scalars by their text in the file, where the value alone would lose information (1.10).
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/object.h"
#include "krm/resource_list.h"

namespace portico::functions {

/// The text of the scalar at `path` as a YAML node holds it: the value of a string, any other
/// scalar as written; nullopt if there is no scalar.
std::optional<std::string> text_at(const krm::Object& object, const krm::Path& path);

/// The value of `text` as a plain scalar: null, a boolean, a number or a string.
json::Value resolved(std::string_view text);

/// Whether the item's file can hold comments: JSON cannot.
inline bool takes_comments(const krm::Item& item) { return !item.file.ends_with(".json"); }

/// Rewrites single-line collections to one entry per line, which makes room for a comment after
/// each value at `paths`. Values below them keep their paths, but lose quotes that they do not
/// need.
Result<Done> make_room_for_comments(krm::Object& object, const std::vector<krm::Path>& paths);

/// Edits of one object that preserve text and layout.
class TextEdits {
 public:
  explicit TextEdits(const krm::Object& object) : object_(object) {}
  TextEdits(const TextEdits&) = delete;
  TextEdits& operator=(const TextEdits&) = delete;

  bool empty() const { return edits_.empty(); }
  /// Sets the text of the scalar at `path`, which is created if missing. If the old scalar is
  /// quoted or a block scalar, the new one is a string in that style; otherwise its type follows
  /// from the text, which is written verbatim (1.10 stays 1.10).
  void set_text(krm::Path path, std::string_view text);
  /// Replaces the value at `path` with a list, one item per line; an empty list is "[]".
  void set_list(krm::Path path, const json::Value& list);

  /// Replaces the value at `path` with a map or list, one entry per line.
  void set_block(krm::Path path, const json::Value& value);

  /// Applies the edits. `object` is the object passed to the constructor, or a later state of it
  /// with the same paths.
  Result<Done> apply(krm::Object& object) const { return object.edit(edits_); }

 private:
  void copy(krm::Path path, krm::Object source);

  const krm::Object& object_;
  std::deque<krm::Object> sources_;
  std::vector<krm::Edit> edits_;
};

}  // namespace portico::functions
