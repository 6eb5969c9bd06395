// How people name a place in an object: "spec.containers[name=web].image".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace portico::merge::internal {

/// Grows and shrinks with a walk down a tree.
class FieldText {
 public:
  /// A member; in brackets and quotes where its name could be misread.
  void enter(std::string_view name);
  /// An item of a list, by what tells it apart; "" where nothing does.
  void enter_item(std::string_view label);
  void leave();

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::size_t> lengths_;
};

}  // namespace portico::merge::internal
