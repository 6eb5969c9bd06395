#include "merge/internal/field_text.h"

#include "json/text.h"

namespace portico::merge::internal {

void FieldText::enter(std::string_view name) {
  lengths_.push_back(text_.size());
  const bool plain = !name.empty() && name.find_first_of(".[]\" =") == std::string_view::npos;
  if (plain) {
    if (!text_.empty()) text_ += '.';
    text_ += name;
    return;
  }
  text_ += '[';
  json::append_quoted(text_, name);
  text_ += ']';
}

void FieldText::enter_item(std::string_view label) {
  lengths_.push_back(text_.size());
  text_ += '[';
  text_ += label;
  text_ += ']';
}

void FieldText::leave() {
  text_.resize(lengths_.back());
  lengths_.pop_back();
}

}  // namespace portico::merge::internal
