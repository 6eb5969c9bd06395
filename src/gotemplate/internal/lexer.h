// Converts template text to tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gotemplate/internal/tree.h"

namespace portico::gotemplate::internal {

struct Token {
  enum class Kind {
    kText,      // outside actions
    kEnd,       // the end of an action
    kName,      // if, range, len, true
    kField,     // .name
    kDot,       // a lone .
    kVariable,  // $name, $
    kConstant,  // a number, a quoted string, a character
    kSign,      // ( ) | , = :=
  } kind = Kind::kText;
  std::string text;  // the name, the sign
  json::Value constant;
  Offset at = 0;
  bool spaced = false;  // preceded by a blank
};

/// The tokens of the whole text, without comments and without the white space that "{{-" and "-}}"
/// trim. kInvalid with the position of an unclosed construct or an invalid token.
Result<std::vector<Token>> tokens_of(std::string_view text);

}  // namespace portico::gotemplate::internal
