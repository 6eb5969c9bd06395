#include "gotemplate/internal/lexer.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "base/utf8.h"

namespace portico::gotemplate::internal {

using json::Value;

std::string place(std::string_view text, Offset at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? at : at - start - 1;
  return fmt::format("line {}, column {}", lines + 1, column + 1);
}

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    while (at_ < text_.size()) {
      const std::size_t open = std::min(text_.find("{{", at_), text_.size());
      std::string_view plain = text_.substr(at_, open - at_);
      if (trim_) plain.remove_prefix(std::min(plain.find_first_not_of(kBlanks), plain.size()));
      const bool trims = text_.substr(open).starts_with("{{-") && open + 3 < text_.size() &&
                         is_blank(text_[open + 3]);
      if (trims) plain = plain.substr(0, plain.find_last_not_of(kBlanks) + 1);
      if (!plain.empty()) push(Token::Kind::kText, at_, std::string(plain));
      at_ = open;
      if (at_ == text_.size()) break;
      at_ += trims ? 3 : 2;
      trim_ = false;
      PORTICO_DO(action(open));
    }
    return std::move(out_);
  }

 private:
  Error wrong(std::size_t at, const std::string& what) const {
    return invalid("{}", what).in(place(text_, at));
  }
  void push(Token::Kind kind, std::size_t at, std::string text = "", Value constant = {}) {
    out_.push_back({kind, std::move(text), std::move(constant), at, spaced_});
    spaced_ = false;
  }
  std::string_view rest() const { return text_.substr(at_); }

  // Consumes "}}" or " -}}".
  bool close() {
    if (rest().starts_with("-}}") && is_blank(text_[at_ - 1])) {
      trim_ = true;
      at_ += 3;
      return true;
    }
    if (!rest().starts_with("}}")) return false;
    at_ += 2;
    return true;
  }

  Result<Done> action(std::size_t open) {
    const std::size_t first = text_.find_first_not_of(kBlanks, at_);
    if (first != std::string_view::npos && text_.substr(first).starts_with("/*")) {
      const std::size_t end = text_.find("*/", first + 2);
      if (end == std::string_view::npos) return wrong(open, "unclosed comment");
      at_ = end + 2;
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (!close()) return wrong(open, "a comment must end with */}}");
      return Done{};
    }
    const std::size_t tokens = out_.size();
    for (;;) {
      while (at_ < text_.size() && is_blank(text_[at_])) {
        spaced_ = true;
        ++at_;
      }
      if (at_ == text_.size()) return wrong(open, "unclosed action: missing }}");
      const std::size_t at = at_;
      if (close()) {
        if (out_.size() == tokens) return wrong(open, "missing value for command");
        push(Token::Kind::kEnd, at);
        return Done{};
      }
      PORTICO_DO(token());
    }
  }

  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  Result<Done> token() {
    const std::size_t at = at_;
    const char c = text_[at_];
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '`') {
      const std::size_t end = text_.find('`', at_ + 1);
      if (end == std::string_view::npos) return wrong(at, "unterminated raw quoted string");
      push(Token::Kind::kConstant, at, "", Value(text_.substr(at + 1, end - at - 1)));
      at_ = end + 1;
      return Done{};
    }
    if (is_digit(c) || ((c == '-' || c == '+' || c == '.') && is_digit(next)) ||
        ((c == '-' || c == '+') && next == '.'))
      return number();
    if (c == '.') {
      ++at_;
      std::string field = name();
      const bool alone = field.empty();
      push(alone ? Token::Kind::kDot : Token::Kind::kField, at, std::move(field));
      return Done{};
    }
    if (c == '$') {
      ++at_;
      push(Token::Kind::kVariable, at, name());
      return Done{};
    }
    if (is_letter(c)) {
      push(Token::Kind::kName, at, name());
      return Done{};
    }
    if (rest().starts_with(":=")) {
      at_ += 2;
      push(Token::Kind::kSign, at, ":=");
      return Done{};
    }
    if (std::string_view("()|,=").find(c) != std::string_view::npos) {
      ++at_;
      push(Token::Kind::kSign, at, std::string(1, c));
      return Done{};
    }
    return wrong(at, fmt::format("unexpected '{}'", c));
  }

  Result<Done> number() {
    const std::size_t from = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_], before = at_ == from ? '\0' : text_[at_ - 1];
      const bool sign = (c == '-' || c == '+') &&
                        (at_ == from || before == 'e' || before == 'E' || before == 'p');
      if (!sign && c != '.' && !is_letter(c) && !is_digit(c)) break;
      ++at_;
    }
    std::string digits(text_.substr(from, at_ - from));
    std::erase(digits, '_');
    const bool negative = digits.starts_with("-");
    std::string_view whole(digits);
    if (negative || digits.starts_with("+")) whole.remove_prefix(1);
    int base = 10;
    if (whole.size() > 1 && whole[0] == '0' &&
        whole.find_first_of(".eE") == std::string_view::npos) {
      const char mark = whole[1];
      base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
      whole.remove_prefix(base != 8 || mark == 'o' || mark == 'O' ? 2 : 1);
    }
    std::uint64_t value = 0;
    const auto [end, failed] =
        std::from_chars(whole.data(), whole.data() + whole.size(), value, base);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 63;
    if (failed == std::errc() && end == whole.data() + whole.size() && value < kMost) {
      const auto number = static_cast<std::int64_t>(value);
      push(Token::Kind::kConstant, from, "", Value(negative ? -number : number));
      return Done{};
    }
    char* stopped = nullptr;
    errno = 0;
    const double real = std::strtod(digits.c_str(), &stopped);
    const bool plain = digits.find_first_not_of("0123456789.eE+-") == std::string::npos;
    if (!plain || *stopped != '\0' || errno == ERANGE)
      return wrong(from, fmt::format("bad number syntax: \"{}\"", digits));
    push(Token::Kind::kConstant, from, "", Value(real));
    return Done{};
  }

  // Decodes one character after a backslash.
  Result<Done> escape(std::string& out) {
    const std::size_t at = at_ - 1;
    const char c = at_ < text_.size() ? text_[at_++] : '\0';
    static constexpr std::string_view kNames = "abfnrtv\\'\"", kMeant = "\a\b\f\n\r\t\v\\'\"";
    if (const std::size_t i = kNames.find(c); c != '\0' && i != std::string_view::npos) {
      out += kMeant[i];
      return Done{};
    }
    const bool octal = c >= '0' && c <= '7';
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : octal ? 3 : 0;
    if (octal) --at_;
    std::uint32_t code = 0;
    const std::string_view written = text_.substr(at_, digits);
    const auto [end, failed] =
        std::from_chars(written.data(), written.data() + written.size(), code, octal ? 8 : 16);
    if (digits == 0 || written.size() < digits || failed != std::errc() ||
        end != written.data() + written.size() || code > (octal ? 0xffu : 0x10ffffu))
      return wrong(at, "invalid escape sequence");
    at_ += digits;
    if (c == 'u' || c == 'U')
      append_utf8(out, code);
    else
      out += static_cast<char>(code);
    return Done{};
  }

  Result<Done> quoted(char quote) {
    const std::size_t from = at_++;
    std::string out;
    for (;;) {
      if (at_ == text_.size() || text_[at_] == '\n')
        return wrong(from, "unterminated quoted string");
      const char c = text_[at_++];
      if (c == quote) break;
      if (c != '\\') {
        out += c;
        continue;
      }
      PORTICO_DO(escape(out));
    }
    if (quote == '"') {
      push(Token::Kind::kConstant, from, "", Value(out));
      return Done{};
    }
    // A character constant is a number.
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(out[i]); };
    const std::size_t size = out.empty()      ? 0
                             : byte(0) < 0x80 ? 1
                             : byte(0) < 0xe0 ? 2
                             : byte(0) < 0xf0 ? 3
                                              : 4;
    if (size == 0 || out.size() != size) return wrong(from, "malformed character constant");
    std::uint32_t code = size == 1 ? byte(0) : byte(0) & (0xffu >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) code = (code << 6) | (byte(i) & 0x3fu);
    push(Token::Kind::kConstant, from, "", Value(static_cast<std::int64_t>(code)));
    return Done{};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool trim_ = false, spaced_ = false;
  std::vector<Token> out_;
};

}  // namespace

Result<std::vector<Token>> tokens_of(std::string_view text) { return Lexer(text).run(); }

}  // namespace portico::gotemplate::internal
