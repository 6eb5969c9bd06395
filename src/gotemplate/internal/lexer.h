// Template text as tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gotemplate/internal/tree.h"

namespace portico::gotemplate::internal {

struct Token {
  enum class Kind {
    kText,      // outside of actions
    kEnd,       // the end of an action
    kName,      // if, range, len, true
    kField,     // .name
    kDot,       // . alone
    kVariable,  // $name, $
    kConstant,  // a number, a quoted text, a character
    kSign,      // ( ) | , = :=
  } kind = Kind::kText;
  std::string text;  // the name, the sign
  json::Value constant;
  Offset at = 0;
  bool spaced = false;  // a blank stands in front of it
};

/// The tokens of the whole text: comments are gone, and the blanks that "{{-" and "-}}" trim.
/// kInvalid with the place of what is not closed or no token.
Result<std::vector<Token>> tokens_of(std::string_view text);

}  // namespace portico::gotemplate::internal
