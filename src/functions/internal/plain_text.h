// Scalars by the text a file has for them, where the number alone would lose something (1.10).
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

/// The text of the scalar at `path` as a YAML node holds it: a string's value, any other scalar as
/// it is written; nullopt for what is no scalar or is not there.
std::optional<std::string> text_at(const krm::Object& object, const krm::Path& path);

/// What `text` means where it stands plain: null, a boolean, a number or a string.
json::Value resolved(std::string_view text);

/// JSON has no comments.
inline bool takes_comments(const krm::Item& item) { return !item.file.ends_with(".json"); }

/// Rewrites collections that are written on one line, so that there is room for a comment behind
/// each value at `paths`: one entry a line. What is below them has the same paths afterwards, but
/// not the quotes that it need not have.
Result<Done> make_room_for_comments(krm::Object& object, const std::vector<krm::Path>& paths);

/// Changes of one object, by text and layout.
class TextEdits {
 public:
  explicit TextEdits(const krm::Object& object) : object_(object) {}
  TextEdits(const TextEdits&) = delete;
  TextEdits& operator=(const TextEdits&) = delete;

  bool empty() const { return edits_.empty(); }
  /// A new text for the scalar at `path`, made where it is missing. In place of a quoted or block
  /// scalar it stays a string in that style; in place of any other one its type follows from the
  /// text, written as it is given (1.10 stays 1.10).
  void set_text(krm::Path path, std::string_view text);
  /// A list in place of what is at `path`: one item a line, an empty one as "[]".
  void set_list(krm::Path path, const json::Value& list);

  /// A map or list in place of what is at `path`, one entry a line.
  void set_block(krm::Path path, const json::Value& value);

  /// Carries them out; `object` is the one given at first, or a later state of it with the same
  /// paths.
  Result<Done> apply(krm::Object& object) const { return object.edit(edits_); }

 private:
  void copy(krm::Path path, krm::Object source);

  const krm::Object& object_;
  std::deque<krm::Object> sources_;
  std::vector<krm::Edit> edits_;
};

}  // namespace portico::functions
