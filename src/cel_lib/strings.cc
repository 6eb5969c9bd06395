// The strings library.
#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "cel/utf8.h"
#include "cel_lib/internal/declare.h"
#include "cel_lib/internal/format.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

using internal::add_format;
using internal::Generation;

Value out_of_range(std::int64_t index) {
  return Value::error(fmt::format("index out of range: {}", index));
}

std::int64_t length(std::string_view text) {
  return static_cast<std::int64_t>(cel::count_code_points(text));
}

Value char_at(Args args, Budget&) {
  const std::string_view text = args[0].text();
  auto from = cel::byte_of_code_point(text, args[1].as_int());
  if (!from) return out_of_range(args[1].as_int());
  if (*from == text.size()) return Value::string("");
  std::size_t end = *from;
  cel::next_code_point(text, end);
  return Value::string(text.substr(*from, end - *from));
}

// The position of `part` in code points, at or after `offset`.
Value index_of(std::string_view text, std::string_view part, std::int64_t offset) {
  if (offset < 0) return out_of_range(offset);
  const auto from = cel::byte_of_code_point(text, offset);
  if (!from) return of_int(-1);
  const std::size_t found = text.find(part, *from);
  if (found == std::string_view::npos) return of_int(-1);
  return of_int(length(text.substr(0, found)));
}

// The last position of `part` at or before `offset`.
Value last_index_of(std::string_view text, std::string_view part, std::int64_t offset) {
  if (offset < 0) return out_of_range(offset);
  const auto from = cel::byte_of_code_point(text, offset);
  if (!from || (*from == text.size() && !part.empty() && offset > 0)) return of_int(-1);
  const std::size_t found = text.rfind(part, *from);
  if (found == std::string_view::npos) return of_int(-1);
  return of_int(length(text.substr(0, found)));
}

Value last_index(std::string_view text, std::string_view part) {
  const std::size_t found = text.rfind(part);
  return found == std::string_view::npos ? of_int(-1) : of_int(length(text.substr(0, found)));
}

Value joined(const Value& list, std::string_view separator, Budget& budget) {
  std::string out;
  const std::size_t count = list.as_list().size();
  for (std::size_t i = 0; i < count; ++i) {
    const Value item = list.as_list().at(i);
    if (!item.is(Kind::kString)) return cel::no_such_overload("join", Args(&list, 1));
    if (!budget.spend_for(item.text().size() + separator.size())) return budget.exhausted();
    if (i > 0) out += separator;
    out += item.text();
  }
  return Value::string(out);
}

Value with_ascii_case(std::string_view text, char first, char last, int shift) {
  std::string out(text);
  for (char& c : out)
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  return Value::string(out);
}

// Byte offsets of the matches of `part`, at most `most` (all if negative). An empty part matches
// before every code point and at the end.
std::vector<std::size_t> places(std::string_view text, std::string_view part, std::int64_t most) {
  std::vector<std::size_t> out;
  const auto full = [&] { return most >= 0 && static_cast<std::int64_t>(out.size()) >= most; };
  if (part.empty()) {
    for (std::size_t at = 0; !full(); cel::next_code_point(text, at)) {
      out.push_back(at);
      if (at >= text.size()) break;
    }
    return out;
  }
  for (std::size_t at = text.find(part); at != std::string_view::npos && !full();
       at = text.find(part, at + part.size()))
    out.push_back(at);
  return out;
}

Value replaced(std::string_view text, std::string_view old, std::string_view by, std::int64_t most,
               Budget& budget) {
  const std::vector<std::size_t> at = places(text, old, most);
  if (!budget.spend_for(text.size() + at.size() * by.size())) return budget.exhausted();
  std::string out;
  std::size_t done = 0;
  for (const std::size_t place : at) {
    out += text.substr(done, place - done);
    out += by;
    done = place + old.size();
  }
  out += text.substr(done);
  return Value::string(out);
}

Value split(std::string_view text, std::string_view separator, std::int64_t most, Budget& budget) {
  std::vector<Value> out;
  if (most == 0) return Value::list(std::move(out));
  std::vector<std::size_t> at =
      places(text, separator, separator.empty() ? -1 : (most < 0 ? -1 : most - 1));
  if (separator.empty()) {
    // One piece per code point: start and end do not split.
    if (text.empty()) return Value::list(std::move(out));
    at.erase(at.begin());
    if (!at.empty() && at.back() == text.size()) at.pop_back();
    if (most > 0 && at.size() > static_cast<std::size_t>(most - 1))
      at.resize(static_cast<std::size_t>(most - 1));
  }
  if (!budget.spend(1 + at.size())) return budget.exhausted();
  std::size_t done = 0;
  for (const std::size_t place : at) {
    out.push_back(Value::string(text.substr(done, place - done)));
    done = place + separator.size();
  }
  out.push_back(Value::string(text.substr(done)));
  return Value::list(std::move(out));
}

Value substring(std::string_view text, std::int64_t start, std::optional<std::int64_t> end) {
  if (end && start > *end)
    return Value::error(fmt::format("invalid substring range. start: {}, end: {}", start, *end));
  const auto from = cel::byte_of_code_point(text, start);
  if (!from) return out_of_range(start);
  if (!end) return Value::string(text.substr(*from));
  const auto to = cel::byte_of_code_point(text, *end);
  if (!to) return out_of_range(*end);
  return Value::string(text.substr(*from, *to - *from));
}

bool is_space(char32_t code) {
  return (code >= 0x09 && code <= 0x0d) || code == ' ' || code == 0x85 || code == 0xa0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
         code == 0x202f || code == 0x205f || code == 0x3000;
}

Value trimmed(std::string_view text) {
  std::size_t begin = text.size();
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    if (is_space(cel::next_code_point(text, at))) continue;
    begin = std::min(begin, from);
    end = at;
  }
  return Value::string(begin < end ? text.substr(begin, end - begin) : "");
}

Value reversed(std::string_view text) {
  std::string out(text.size(), '\0');
  std::size_t to = text.size();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    cel::next_code_point(text, at);
    to -= at - from;
    out.replace(to, at - from, text.substr(from, at - from));
  }
  return Value::string(out);
}

// Writes all CEL escapes; invalid bytes become U+FFFD.
Value quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = cel::next_code_point(text, at);
    switch (code) {
      case '\a':
        out += "\\a";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\v':
        out += "\\v";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '"':
        out += "\\\"";
        break;
      default:
        append_utf8(out, code);
    }
  }
  return Value::string(out + '"');
}

void add_search(Declarations& to) {
  to.member("charAt", {kString, kInt}, kString, char_at);
  to.member("indexOf", {kString, kString}, kInt,
            [](Args a, Budget&) { return index_of(a[0].text(), a[1].text(), 0); });
  to.member("indexOf", {kString, kString, kInt}, kInt,
            [](Args a, Budget&) { return index_of(a[0].text(), a[1].text(), a[2].as_int()); });
  to.member("lastIndexOf", {kString, kString}, kInt,
            [](Args a, Budget&) { return last_index(a[0].text(), a[1].text()); });
  to.member("lastIndexOf", {kString, kString, kInt}, kInt,
            [](Args a, Budget&) { return last_index_of(a[0].text(), a[1].text(), a[2].as_int()); });
  to.member("substring", {kString, kInt}, kString,
            [](Args a, Budget&) { return substring(a[0].text(), a[1].as_int(), std::nullopt); });
  to.member("substring", {kString, kInt, kInt}, kString,
            [](Args a, Budget&) { return substring(a[0].text(), a[1].as_int(), a[2].as_int()); });
}

void add_change(Declarations& to) {
  to.member("lowerAscii", {kString}, kString,
            [](Args a, Budget&) { return with_ascii_case(a[0].text(), 'A', 'Z', 32); });
  to.member("upperAscii", {kString}, kString,
            [](Args a, Budget&) { return with_ascii_case(a[0].text(), 'a', 'z', -32); });
  to.member("replace", {kString, kString, kString}, kString, [](Args a, Budget& budget) {
    return replaced(a[0].text(), a[1].text(), a[2].text(), -1, budget);
  });
  to.member("replace", {kString, kString, kString, kInt}, kString, [](Args a, Budget& budget) {
    return replaced(a[0].text(), a[1].text(), a[2].text(), a[3].as_int(), budget);
  });
  const Type list = Type::list(kString);
  to.member("split", {kString, kString}, list,
            [](Args a, Budget& budget) { return split(a[0].text(), a[1].text(), -1, budget); });
  to.member("split", {kString, kString, kInt}, list, [](Args a, Budget& budget) {
    return split(a[0].text(), a[1].text(), a[2].as_int(), budget);
  });
  to.member("trim", {kString}, kString, [](Args a, Budget&) { return trimmed(a[0].text()); });
}

}  // namespace

Library strings(int version, std::string_view locale) {
  Declarations to;
  add_search(to);
  add_change(to);
  // Joining lists of strings has been possible since the first version.
  to.member("join", {Type::list(kString)}, kString,
            [](Args a, Budget& budget) { return joined(a[0], "", budget); });
  to.member("join", {Type::list(kString), kString}, kString,
            [](Args a, Budget& budget) { return joined(a[0], a[1].text(), budget); });
  if (version >= 1)
    to.global("strings.quote", {kString}, kString,
              [](Args a, Budget&) { return quoted(a[0].text()); });
  if (version >= 3)
    to.member("reverse", {kString}, kString, [](Args a, Budget&) { return reversed(a[0].text()); });
  Library out;
  out.name = "strings";
  if (version >= 1)
    add_format(to, out, version >= 4 ? Generation::kSecond : Generation::kFirst, locale);
  out.functions = to.take();
  return out;
}

}  // namespace portico::cel_lib
