#include "starlark_syntax/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "starlark_syntax/number.h"
#include "starlark_syntax/quoting.h"
#include "starlark_syntax/unicode.h"

namespace portico::starlark {

namespace {

constexpr std::string_view kPunctuation[] = {
    "+",  "-",  "*",  "/",  "//", "%",   "&",  "|",  "^",  "<<", ">>",  "~",   ".",  ",",
    "=",  ";",  ":",  "(",  ")",  "[",   "]",  "{",  "}",  "<",  ">",   ">=",  "<=", "==",
    "!=", "+=", "-=", "*=", "/=", "//=", "%=", "&=", "|=", "^=", "<<=", ">>=", "**"};

constexpr std::string_view kKeywords[] = {"and", "break", "continue", "def",    "elif", "else",
                                          "for", "if",    "in",       "lambda", "load", "not",
                                          "or",  "pass",  "return",   "while"};

constexpr std::string_view kReservedWords[] = {
    "as",     "async",  "await", "class",    "del",   "except", "finally", "from",
    "global", "import", "is",    "nonlocal", "raise", "try",    "with",    "yield"};

constexpr int kTab = 8;
/// Maximum nesting of blocks; the parser has the same limit.
constexpr std::size_t kDeepest = 100;

[[noreturn]] void mistake(Position where, std::string message) {
  throw SyntaxError{where, std::move(message)};
}

bool is_digit_char(char c) { return c >= '0' && c <= '9'; }

bool begins_name(std::string_view text) {
  const Decoded first = decode(text);
  return first.code == '_' || (first.size > 0 && is_letter(first.code));
}

}  // namespace

std::string describe(Token token, std::string_view text) {
  constexpr std::string_view kNames[] = {"end of file",   "newline",        "indent",
                                         "outdent",       "identifier",     "int literal",
                                         "float literal", "string literal", "bytes literal"};
  if (token < Token::kPlus) return std::string(kNames[static_cast<std::size_t>(token)]);
  if (token <= Token::kStarStar)
    return fmt::format(
        "'{}'",
        kPunctuation[static_cast<std::size_t>(token) - static_cast<std::size_t>(Token::kPlus)]);
  if (token < Token::kReserved)
    return std::string(
        kKeywords[static_cast<std::size_t>(token) - static_cast<std::size_t>(Token::kAnd)]);
  return token == Token::kNotIn ? "not in" : std::string(text);
}

void Lexer::skip() {
  if (at_line_end()) {
    rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : 1);
    ++here_.line;
    here_.column = 1;
    return;
  }
  rest_.remove_prefix(decode(rest_).size);
  ++here_.column;
}

bool Lexer::indentation() {
  line_start_ = false;
  int column = 0;
  for (;; skip()) {
    if (peek() == ' ')
      ++column;
    else if (peek() == '\t')
      column += kTab - (here_.column - 1) % kTab;
    else
      break;
  }
  if (peek() == '#' || at_line_end() || (rest_.empty() && column > 0)) return true;
  if (depth_ > 0) return false;
  if (column > indents_.back()) {
    if (indents_.size() > kDeepest)
      mistake(here_, fmt::format("blocks nested deeper than {}", kDeepest));
    ++dents_;
    indents_.push_back(column);
    return false;
  }
  for (; column < indents_.back(); --dents_) indents_.pop_back();
  if (column != indents_.back())
    mistake(here_, "unindent does not match any outer indentation level");
  return false;
}

Token Lexer::next() {
  while (true) {
    const bool was_line_start = line_start_;
    const bool blank = line_start_ && indentation();
    begin();
    if (dents_ < 0) {
      ++dents_;
      return end(Token::kOutdent);
    }
    if (dents_ > 0) {
      --dents_;
      return end(Token::kIndent);
    }
    while (peek() == ' ' || peek() == '\t') skip();
    if (peek() == '#')
      while (!rest_.empty() && !at_line_end()) skip();
    begin();
    if (rest_.empty()) {
      if (indents_.size() == 1) return end(Token::kEnd);
      // Closes the open blocks, and first the last line.
      if (!was_line_start) {
        line_start_ = true;
        return end(Token::kNewline);
      }
      dents_ = 1 - static_cast<int>(indents_.size());
      indents_.resize(1);
      continue;
    }
    if (at_line_end()) {
      line_start_ = true;
      skip();
      if (depth_ > 0 || blank) continue;
      return end(Token::kNewline);
    }
    if (peek() == '\\') {
      skip();
      if (!at_line_end()) mistake(here_, "stray backslash in program");
      skip();
      continue;
    }
    if (peek() == '"' || peek() == '\'') return literal();
    if (begins_name(rest_)) return word();
    if (is_digit_char(peek()) || peek() == '.') return number_token();
    return punctuation();
  }
}

Token Lexer::word() {
  std::size_t prefix = 0;
  if (peek() == 'r') ++prefix;
  if (peek(prefix) == 'b') ++prefix;
  if (prefix > 0 && (peek(prefix) == '"' || peek(prefix) == '\'')) return literal();
  while (begins_name(rest_) || is_digit_char(peek())) skip();
  end(Token::kName);
  const auto* keyword = std::find(std::begin(kKeywords), std::end(kKeywords), text_);
  if (keyword != std::end(kKeywords))
    return static_cast<Token>(static_cast<std::ptrdiff_t>(Token::kAnd) +
                              (keyword - std::begin(kKeywords)));
  const auto* reserved = std::find(std::begin(kReservedWords), std::end(kReservedWords), text_);
  return reserved == std::end(kReservedWords) ? Token::kName : Token::kReserved;
}

Token Lexer::literal() {
  while (peek() != '"' && peek() != '\'') skip();
  const Position quote_at = here_;
  const char quote = peek();
  const bool triple = peek(1) == quote && peek(2) == quote;
  for (int i = 0; i < (triple ? 3 : 1); ++i) skip();
  for (int quotes = 0; quotes < (triple ? 3 : 1);) {
    if (rest_.empty()) mistake(start_, "unexpected EOF in string");
    if (!triple && at_line_end()) mistake(start_, "unexpected newline in string");
    quotes = peek() == quote ? quotes + 1 : 0;
    const bool escape = peek() == '\\';
    skip();
    if (!escape) continue;
    if (rest_.empty()) mistake(start_, "unexpected EOF in string");
    skip();
  }
  end(Token::kString);
  auto meaning = unquote(text_);
  if (!meaning) mistake(quote_at, meaning.error().what);
  string_ = std::move(meaning->text);
  return meaning->bytes ? Token::kBytes : Token::kString;
}

void Lexer::digits() {
  while (is_digit_char(peek())) skip();
}

Token Lexer::based(int base, std::string_view what, std::size_t position_at) {
  skip();
  skip();
  const auto is_of_base = [base](char c) { return BigInt::parse({&c, 1}, base).has_value(); };
  if (!is_of_base(peek()))
    mistake(position_at == 0 ? start_ : here_, fmt::format("invalid {} literal", what));
  while (is_of_base(peek())) skip();
  end(Token::kInt);
  if (text_.size() > kMaxIntBits / 4) mistake(start_, "int literal too large");
  integer_ = *BigInt::parse(text_.substr(2), base);
  return Token::kInt;
}

Token Lexer::number_token() {
  bool fraction = peek() == '.';
  if (fraction && !is_digit_char(peek(1))) {
    skip();
    return end(Token::kDot);
  }
  if (peek() == '0') {
    const char kind = static_cast<char>(peek(1) | 0x20);
    if (kind == 'x') return based(16, "hex", 0);
    if (kind == 'o') return based(8, "octal", 1);
    if (kind == 'b') return based(2, "binary", 1);
  }
  digits();
  const std::string_view whole = token_.substr(0, token_.size() - rest_.size());
  fraction = peek() == '.';
  if (fraction) {
    skip();
    digits();
  }
  const bool exponent = peek() == 'e' || peek() == 'E';
  if (exponent) {
    skip();
    if (peek() == '+' || peek() == '-') skip();
    digits();
  }
  if (fraction || exponent) {
    end(Token::kFloat);
    const auto value = parse_float(text_);
    if (!value || std::isinf(*value)) mistake(here_, "invalid float literal");
    number_ = *value;
    return Token::kFloat;
  }
  const bool all_zeros = whole.find_first_not_of('0') == std::string_view::npos;
  if (whole[0] == '0' && !all_zeros) {
    if (whole.find_first_not_of("01234567") == std::string_view::npos)
      mistake(here_, fmt::format("obsolete form of octal literal; use 0o{}", whole.substr(1)));
    mistake(start_, "invalid int literal");
  }
  end(Token::kInt);
  if (text_.size() > kMaxIntBits / 4) mistake(start_, "int literal too large");
  integer_ = *BigInt::parse(text_, 10);
  return Token::kInt;
}

Token Lexer::punctuation() {
  std::size_t best = std::size(kPunctuation);
  for (std::size_t i = 0; i < std::size(kPunctuation); ++i)
    if (rest_.starts_with(kPunctuation[i]) &&
        (best == std::size(kPunctuation) || kPunctuation[i].size() > kPunctuation[best].size()))
      best = i;
  if (best == std::size(kPunctuation))
    mistake(start_, fmt::format("unexpected input character '{}'",
                                valid_utf8(rest_.substr(0, decode(rest_).size))));
  const char c = peek();
  if (c == '(' || c == '[' || c == '{') ++depth_;
  if (c == ')' || c == ']' || c == '}') {
    if (depth_ == 0) mistake(start_, fmt::format("unexpected '{}'", c));
    --depth_;
  }
  for (std::size_t i = 0; i < kPunctuation[best].size(); ++i) skip();
  return end(static_cast<Token>(static_cast<std::size_t>(Token::kPlus) + best));
}

}  // namespace portico::starlark
