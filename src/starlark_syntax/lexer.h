// Converts source to tokens, including line structure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "starlark_syntax/big_int.h"
#include "starlark_syntax/position.h"

namespace portico::starlark {

enum class Token : std::uint8_t {
  kEnd,
  kNewline,
  kIndent,
  kOutdent,
  kName,
  kInt,
  kFloat,
  kString,
  kBytes,
  // Punctuation, in the order of kPunctuation.
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kSlashSlash,
  kPercent,
  kAmpersand,
  kPipe,
  kCaret,
  kShiftLeft,
  kShiftRight,
  kTilde,
  kDot,
  kComma,
  kAssign,
  kSemicolon,
  kColon,
  kOpenParen,
  kCloseParen,
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kLess,
  kGreater,
  kGreaterEqual,
  kLessEqual,
  kEqual,
  kNotEqual,
  kPlusAssign,  // the augmented assignments are in the order of their operators
  kMinusAssign,
  kStarAssign,
  kSlashAssign,
  kSlashSlashAssign,
  kPercentAssign,
  kAmpersandAssign,
  kPipeAssign,
  kCaretAssign,
  kShiftLeftAssign,
  kShiftRightAssign,
  kStarStar,
  // Keywords, in the order of kKeywords.
  kAnd,
  kBreak,
  kContinue,
  kDef,
  kElif,
  kElse,
  kFor,
  kIf,
  kIn,
  kLambda,
  kLoad,
  kNot,
  kOr,
  kPass,
  kReturn,
  kWhile,
  kReserved,  // a Python keyword that the language reserves
  kNotIn,     // created by the parser
};

/// As shown in messages: "newline", "int literal", "'+'", "and".
std::string describe(Token token, std::string_view text);

class Lexer {
 public:
  /// Borrows `source`.
  explicit Lexer(std::string_view source) : rest_(source) {}

  /// The next token. Throws a SyntaxError.
  Token next();

  // Of the token that next() returned last:
  Position start() const { return start_; }        // where it begins
  std::string_view text() const { return text_; }  // as written
  const std::string& string() const { return string_; }
  const BigInt& integer() const { return integer_; }
  double number() const { return number_; }

  /// The current position, after the token.
  Position here() const { return here_; }

 private:
  char peek(std::size_t ahead = 0) const { return ahead < rest_.size() ? rest_[ahead] : '\0'; }
  bool at_line_end() const { return peek() == '\n' || peek() == '\r'; }
  void skip();  // one code point; any form of line end counts as one
  void begin() {
    start_ = here_;
    token_ = rest_;
  }
  Token end(Token token) {
    text_ = token_.substr(0, token_.size() - rest_.size());
    return token;
  }
  /// Measures the indentation of a new line; true if the line holds only a comment.
  bool indentation();
  Token word();
  Token literal();
  Token number_token();
  Token based(int base, std::string_view what, std::size_t position_at);
  Token punctuation();
  void digits();

  std::string_view rest_;
  std::string_view token_;
  Position here_{1, 1};
  Position start_{1, 1};
  std::string_view text_;
  std::string string_;
  BigInt integer_;
  double number_ = 0;
  int depth_ = 0;  // of open brackets
  bool line_start_ = true;
  int dents_ = 0;  // INDENTs (> 0) or OUTDENTs (< 0) still to be returned
  std::vector<int> indents_{0};
};

}  // namespace portico::starlark
