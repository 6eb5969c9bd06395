// Converts text to tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace portico::cel::internal {

enum class Token : std::uint8_t {
  kEnd,
  kBad,  // Lexeme::error gives the reason
  kIdent,
  kQuotedIdent,  // `a-b`
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kIn,
  kTrue,
  kFalse,
  kNull,
  kDot,
  kComma,
  kColon,
  kQuestion,
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kNot,
  kMinus,
  kPlus,
  kStar,
  kSlash,
  kPercent,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr,
};

struct Lexeme {
  Token token = Token::kEnd;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const char* error = nullptr;
};

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  /// Skips blanks and comments. Stays at kEnd and kBad.
  Lexeme next();

 private:
  Lexeme take(Token token, std::size_t size);
  Lexeme bad(std::size_t from, const char* error) const;
  Lexeme word();
  Lexeme number();
  Lexeme quoted(std::size_t prefix, bool raw, bool bytes);
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

/// Whether `word` is reserved: not an identifier, but allowed as a field name.
bool is_reserved(std::string_view word);

/// Decodes a string or bytes literal, including its prefix and quotes. If an escape is invalid,
/// returns false with the reason in `out`.
bool unquote(std::string_view literal, bool bytes, std::string& out);

}  // namespace portico::cel::internal
