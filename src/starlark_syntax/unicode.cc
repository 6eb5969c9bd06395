#include "starlark_syntax/unicode.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace portico::starlark {

namespace {

struct CodeRange {
  CodePoint first, last;
};

/// Code points from first to last, `step` apart, map to themselves plus `delta`.
struct CaseRun {
  CodePoint first, last;
  std::uint32_t step;
  std::int32_t delta;
};

#include "starlark_syntax/unicode_tables.inc"

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

}  // namespace

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

}  // namespace portico::starlark
