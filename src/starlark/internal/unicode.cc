#include "starlark/internal/unicode.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace portico::starlark::internal {

namespace {

struct CodeRange {
  CodePoint first, last;
};

/// The code points from first to last, `step` apart, are mapped to themselves plus `delta`.
struct CaseRun {
  CodePoint first, last;
  std::uint32_t step;
  std::int32_t delta;
};

#include "starlark/internal/unicode_tables.inc"

template <class Range>
const Range* find(std::span<const Range> ranges, CodePoint code) {
  const auto found =
      std::lower_bound(ranges.begin(), ranges.end(), code,
                       [](const Range& range, CodePoint c) { return range.last < c; });
  return found != ranges.end() && found->first <= code ? &*found : nullptr;
}

bool contains(std::span<const CodeRange> ranges, CodePoint code) {
  return find(ranges, code) != nullptr;
}

CodePoint map(std::span<const CaseRun> runs, CodePoint code) {
  const CaseRun* run = find(runs, code);
  if (run == nullptr || (code - run->first) % run->step != 0) return code;
  return code + static_cast<CodePoint>(run->delta);
}

template <class Mapping>
std::string map_text(std::string_view text, Mapping mapping) {
  std::string mapped;
  mapped.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    append(mapped, mapping(next.code));
    text.remove_prefix(next.size);
  }
  return mapped;
}

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

Decoded decode(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size) return {kReplacement, 1};
  CodePoint code = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return {kReplacement, 1};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr CodePoint kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kLeast[size] || code > kLastCodePoint || surrogate) return {kReplacement, 1};
  return {code, size};
}

Decoded decode_last(std::string_view text) {
  for (std::size_t size = std::min<std::size_t>(4, text.size()); size > 0; --size) {
    const Decoded last = decode(text.substr(text.size() - size));
    if (last.size == size) return last;
  }
  return {kReplacement, text.empty() ? std::size_t{0} : 1};
}

void append(std::string& text, CodePoint code) {
  if (code > kLastCodePoint || (code >= 0xD800 && code < 0xE000)) code = kReplacement;
  const auto put = [&text](CodePoint bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode(text).size);
  return count;
}

std::string valid_utf8(std::string_view text) {
  return map_text(text, [](CodePoint code) { return code; });
}

bool is_letter(CodePoint code) { return contains(kLetters, code); }
bool is_digit(CodePoint code) { return contains(kDigits, code); }
bool is_upper(CodePoint code) { return contains(kUpperLetters, code); }
bool is_lower(CodePoint code) { return contains(kLowerLetters, code); }
bool is_title(CodePoint code) { return contains(kTitleLetters, code); }
bool is_printable(CodePoint code) { return code == ' ' || contains(kPrintable, code); }

bool is_space(CodePoint code) {
  return (code >= 0x9 && code <= 0xD) || code == ' ' || code == 0x85 || code == 0xA0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
         code == 0x202F || code == 0x205F || code == 0x3000;
}

bool is_cased(CodePoint code) {
  return to_upper(code) != code || to_lower(code) != code || to_title(code) != code;
}

CodePoint to_upper(CodePoint code) { return map(kToUpper, code); }
CodePoint to_lower(CodePoint code) { return map(kToLower, code); }
CodePoint to_title(CodePoint code) { return map(kToTitle, code); }

std::string to_upper(std::string_view text) {
  return map_text(text, [](CodePoint code) { return to_upper(code); });
}
std::string to_lower(std::string_view text) {
  return map_text(text, [](CodePoint code) { return to_lower(code); });
}

}  // namespace portico::starlark::internal
