#include "json/internal/careful_parser.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace portico::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  Parser(std::string_view text, const ParseLimits& limits) : text_(text), limits_(limits) {}

  Result<Value> parse() {
    skip_blanks();
    if (at_end()) return fail("expected a value, found only whitespace");
    PORTICO_TRY(Value value, parse_value(limits_.depth));
    skip_blanks();
    if (!at_end()) return fail("unexpected " + seen() + " after the value");
    return value;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  bool next_is(char c) const { return !at_end() && text_[at_] == c; }

  void skip_blanks() {
    while (!at_end() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  /// The character at the current position, for a message.
  std::string seen() const {
    if (at_end()) return "end of input";
    const Utf8Character next = utf8_front(text_.substr(at_));
    if (!next.valid || next.code < 0x20 || next.code == 0x7f)
      return fmt::format("byte 0x{:02x}", next.code);
    return fmt::format("'{}'", text_.substr(at_, next.size));
  }

  Error fail(std::string_view what) const { return fail_at(at_, what); }
  Error fail_at(std::size_t offset, std::string_view what) const {
    return invalid("not JSON: {}", what).in(position_text(text_, offset));
  }

  Result<Value> parse_value(int levels_left) {
    if (at_end()) return fail("unexpected end of JSON input");
    switch (text_[at_]) {
      case '{':
        return parse_object(levels_left);
      case '[':
        return parse_array(levels_left);
      case '"': {
        PORTICO_TRY(const std::string text, parse_string());
        return Value(text);
      }
      case 't':
        return parse_word("true", true);
      case 'f':
        return parse_word("false", false);
      case 'n':
        return parse_word("null", {});
      default:
        if (next_is('-') || is_digit(text_[at_])) return parse_number();
        return fail("expected a value, found " + seen());
    }
  }

  Result<Value> parse_word(std::string_view word, Value value) {
    const std::size_t begin = at_;
    while (!at_end() &&
           std::string_view(" \t\r\n,:[]{}\"").find(text_[at_]) == std::string_view::npos)
      ++at_;
    if (text_.substr(begin, at_ - begin) == word) return value;
    return fail_at(begin, "expected a value; the only literals are true, false and null");
  }

  Result<Value> parse_array(int levels_left) {
    if (levels_left == 0) return too_deep();
    std::vector<Value> items;
    ++at_;
    skip_blanks();
    if (next_is(']')) return ++at_, Value::array();
    for (;;) {
      skip_blanks();
      PORTICO_TRY(Value item, parse_value(levels_left - 1));
      items.push_back(std::move(item));
      skip_blanks();
      if (next_is(']')) return ++at_, Value::array(std::move(items));
      if (!next_is(',')) return fail("expected ',' or ']', found " + seen());
      ++at_;
    }
  }

  Result<Value> parse_object(int levels_left) {
    if (levels_left == 0) return too_deep();
    std::vector<Member> members;
    ++at_;
    skip_blanks();
    if (next_is('}')) return ++at_, Value::object();
    for (;;) {
      skip_blanks();
      if (!next_is('"')) return fail("expected a member name in quotes, found " + seen());
      PORTICO_TRY(const std::string name, parse_string());
      skip_blanks();
      if (!next_is(':')) return fail("expected ':', found " + seen());
      ++at_;
      skip_blanks();
      PORTICO_TRY(Value value, parse_value(levels_left - 1));
      members.push_back({Value(name), std::move(value)});
      skip_blanks();
      if (next_is('}')) return ++at_, Value::object(std::move(members));
      if (!next_is(',')) return fail("expected ',' or '}', found " + seen());
      ++at_;
    }
  }

  Error too_deep() const {
    return fail(fmt::format("nested more than {} levels deep", limits_.depth));
  }

  Result<std::string> parse_string() {
    const std::size_t begin = at_++;
    std::string out;
    for (;;) {
      if (at_end()) return fail_at(begin, "unterminated string");
      const char c = text_[at_];
      if (c == '"') return ++at_, out;
      if (c == '\\') {
        PORTICO_DO(parse_escape(out));
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20)
        return fail(seen() + " must be written as an escape in a string");
      const Utf8Character next = utf8_front(text_.substr(at_));
      if (!next.valid) return fail(seen() + " is not UTF-8");
      out += text_.substr(at_, next.size);
      at_ += next.size;
    }
  }

  Result<Done> parse_escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    const std::size_t begin = at_++;
    if (next_is('u')) {
      ++at_;
      PORTICO_TRY(std::uint32_t code, parse_hex4(begin));
      if (code >= 0xd800 && code <= 0xdbff && text_.substr(at_, 2) == "\\u") {
        at_ += 2;
        PORTICO_TRY(const std::uint32_t low, parse_hex4(begin));
        if (low < 0xdc00 || low > 0xdfff) return half_a_pair(begin);
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else if (code >= 0xd800 && code <= 0xdfff) {
        return half_a_pair(begin);
      }
      append_utf8(out, code);
      return Done{};
    }
    const std::size_t name = at_end() ? std::string_view::npos : kNames.find(text_[at_]);
    if (name == std::string_view::npos) return fail_at(begin, "invalid escape sequence");
    out += kMeant[name];
    ++at_;
    return Done{};
  }

  Error half_a_pair(std::size_t begin) const {
    return fail_at(begin, "invalid escape: half of a surrogate pair");
  }

  Result<std::uint32_t> parse_hex4(std::size_t escape) {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4)
      return fail_at(escape, "\\u must be followed by four hexadecimal digits");
    at_ += 4;
    return code;
  }

  Result<Value> parse_number() {
    const std::size_t begin = at_;
    bool whole = true;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (!at_end() && is_digit(text_[at_])) ++at_;
      return at_ > first;
    };
    if (next_is('-')) ++at_;
    if (next_is('0')) {
      ++at_;
      if (!at_end() && is_digit(text_[at_]))
        return fail_at(begin, "a number must not have leading zeros");
    } else if (!digits()) {
      return fail("expected a digit after '-', found " + seen());
    }
    if (next_is('.')) {
      whole = false;
      ++at_;
      if (!digits()) return fail("expected a digit after '.', found " + seen());
    }
    if (next_is('e') || next_is('E')) {
      whole = false;
      ++at_;
      if (next_is('+') || next_is('-')) ++at_;
      if (!digits()) return fail("expected a digit in the exponent, found " + seen());
    }
    return number(begin, whole);
  }

  /// Integers that do not fit into 64 bits become doubles, as in Go.
  Result<Value> number(std::size_t begin, bool whole) const {
    const char* first = text_.data() + begin;
    const char* last = text_.data() + at_;
    if (whole) {
      std::int64_t small = 0;
      if (std::from_chars(first, last, small).ec == std::errc()) return Value(small);
      std::uint64_t large = 0;
      if (std::from_chars(first, last, large).ec == std::errc()) return Value(large);
    }
    double value = 0;
    const auto error = std::from_chars(first, last, value).ec;
    if (error != std::errc() && is_large({first, last}))
      return fail_at(begin, "the number is too large for a double");
    return Value(value);
  }

  /// For a number outside the range of doubles: whether it is too large rather than too small.
  static bool is_large(std::string_view number) {
    const std::size_t e = std::min(number.find_first_of("eE"), number.size());
    const std::string_view mantissa = number.substr(0, e);
    const bool negative = number.substr(e).find('-') != std::string_view::npos;
    const std::size_t digits = number.find_first_of("0123456789", e);
    std::int64_t exponent = 0;
    if (digits != std::string_view::npos &&
        std::from_chars(number.data() + digits, number.data() + number.size(), exponent).ec !=
            std::errc())
      return !negative;
    const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
    const auto leading = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
    return point - leading > (negative ? exponent : -exponent);
  }

  std::string_view text_;
  ParseLimits limits_;
  std::size_t at_ = 0;
};

}  // namespace

std::string position_text(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::string_view row =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto column =
      std::count_if(row.begin(), row.end(),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }) +
      1;
  return fmt::format("{}:{}", line, column);
}

Result<Value> parse_carefully(std::string_view text, const ParseLimits& limits) {
  return Parser(text, limits).parse();
}

}  // namespace portico::json
