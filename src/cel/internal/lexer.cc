#include "cel/internal/lexer.h"

#include <algorithm>
#include <array>

namespace portico::cel::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_word(char c) { return starts_word(c) || is_digit(c); }
bool in_quoted_ident(char c) { return in_word(c) || c == '.' || c == '-' || c == '/' || c == ' '; }

}  // namespace

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 17> kWords = {
      "as",  "break", "const",     "continue", "else",   "for", "function", "if",   "import",
      "let", "loop",  "namespace", "package",  "return", "var", "void",     "while"};
  return std::binary_search(kWords.begin(), kWords.end(), word);
}

Lexeme Lexer::take(Token token, std::size_t size) {
  const Lexeme out{token, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + size)};
  at_ += size;
  return out;
}

Lexeme Lexer::bad(std::size_t from, const char* error) const {
  return {Token::kBad, static_cast<std::uint32_t>(from),
          static_cast<std::uint32_t>(std::min(from + 1, source_.size())), error};
}

Lexeme Lexer::next() {
  for (;;) {
    const char c = peek();
    if (at_ >= source_.size()) return take(Token::kEnd, 0);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      at_ = std::min(source_.find('\n', at_), source_.size());
    } else {
      break;
    }
  }
  const char c = peek();
  if (starts_word(c)) return word();
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
  const bool equals = peek(1) == '=';
  switch (c) {
    case '"':
    case '\'':
      return quoted(0, false, false);
    case '`': {
      std::size_t size = 1;
      while (in_quoted_ident(peek(size))) ++size;
      if (peek(size) != '`' || size == 1)
        return bad(
            at_,
            "letters, digits, '_', '.', '-', '/', blanks and a closing '`' are expected after");
      return take(Token::kQuotedIdent, size + 1);
    }
    case '.':
      return take(Token::kDot, 1);
    case ',':
      return take(Token::kComma, 1);
    case ':':
      return take(Token::kColon, 1);
    case '?':
      return take(Token::kQuestion, 1);
    case '(':
      return take(Token::kLeftParen, 1);
    case ')':
      return take(Token::kRightParen, 1);
    case '[':
      return take(Token::kLeftBracket, 1);
    case ']':
      return take(Token::kRightBracket, 1);
    case '{':
      return take(Token::kLeftBrace, 1);
    case '}':
      return take(Token::kRightBrace, 1);
    case '-':
      return take(Token::kMinus, 1);
    case '+':
      return take(Token::kPlus, 1);
    case '*':
      return take(Token::kStar, 1);
    case '/':
      return take(Token::kSlash, 1);
    case '%':
      return take(Token::kPercent, 1);
    case '!':
      return equals ? take(Token::kNotEqual, 2) : take(Token::kNot, 1);
    case '<':
      return equals ? take(Token::kLessEqual, 2) : take(Token::kLess, 1);
    case '>':
      return equals ? take(Token::kGreaterEqual, 2) : take(Token::kGreater, 1);
    case '=':
      return equals ? take(Token::kEqual, 2) : bad(at_, "'==' is expected in place of");
    case '&':
      return peek(1) == '&' ? take(Token::kAnd, 2) : bad(at_, "'&&' is expected in place of");
    case '|':
      return peek(1) == '|' ? take(Token::kOr, 2) : bad(at_, "'||' is expected in place of");
    default:
      return bad(at_, "unexpected character");
  }
}

Lexeme Lexer::word() {
  const auto is = [](char c, char lower, char upper) { return c == lower || c == upper; };
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  if (is(peek(), 'r', 'R') && is_quote(peek(1))) return quoted(1, true, false);
  if (is(peek(), 'b', 'B')) {
    if (is_quote(peek(1))) return quoted(1, false, true);
    if (is(peek(1), 'r', 'R') && is_quote(peek(2))) return quoted(2, true, true);
  }
  std::size_t size = 1;
  while (in_word(peek(size))) ++size;
  const std::string_view text = source_.substr(at_, size);
  Token token = Token::kIdent;
  if (text == "in") token = Token::kIn;
  if (text == "true") token = Token::kTrue;
  if (text == "false") token = Token::kFalse;
  if (text == "null") token = Token::kNull;
  return take(token, size);
}

Lexeme Lexer::number() {
  std::size_t size = 0;
  if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X') && is_hex(peek(2))) {
    size = 2;
    while (is_hex(peek(size))) ++size;
  } else {
    while (is_digit(peek(size))) ++size;
    bool real = false;
    if (peek(size) == '.' && is_digit(peek(size + 1))) {
      real = true;
      ++size;
      while (is_digit(peek(size))) ++size;
    }
    if (peek(size) == 'e' || peek(size) == 'E') {
      std::size_t exponent = size + 1;
      if (peek(exponent) == '+' || peek(exponent) == '-') ++exponent;
      if (is_digit(peek(exponent))) {
        real = true;
        size = exponent;
        while (is_digit(peek(size))) ++size;
      }
    }
    if (real) return take(Token::kDouble, size);
  }
  if (peek(size) == 'u' || peek(size) == 'U') return take(Token::kUint, size + 1);
  return take(Token::kInt, size);
}

Lexeme Lexer::quoted(std::size_t prefix, bool raw, bool bytes) {
  const char quote = peek(prefix);
  const bool triple = peek(prefix + 1) == quote && peek(prefix + 2) == quote;
  std::size_t size = prefix + (triple ? 3 : 1);
  for (;;) {
    if (at_ + size >= source_.size()) return bad(at_, "there is no closing quote for");
    const char c = peek(size);
    if (c == quote && (!triple || (peek(size + 1) == quote && peek(size + 2) == quote))) break;
    if (!triple && (c == '\n' || c == '\r'))
      return bad(at_, "there is no closing quote on the line of the opening");
    size += !raw && c == '\\' ? 2 : 1;
  }
  return take(bytes ? Token::kBytes : Token::kString, size + (triple ? 3 : 1));
}

}  // namespace portico::cel::internal
