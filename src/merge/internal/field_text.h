// A readable path of a place in an object: "spec.containers[name=web].image".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico::merge::internal {

/// Grows and shrinks while the caller walks down a tree.
class FieldText {
 public:
  /// Enters a member; its name is bracketed and quoted where it could be misread.
  void enter(std::string_view name);
  /// Enters a list item, labeled by its identifying key; "" where it has none.
  void enter_item(std::string_view label);
  void leave();

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::size_t> lengths_;
};

}  // namespace portico::merge::internal
