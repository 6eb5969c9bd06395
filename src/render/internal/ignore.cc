#include "render/internal/ignore.h"

#include "render/internal/paths.h"

namespace portico::render {

namespace {

/// Whether `c` is in the set that starts after '[' at pattern[at]; moves `at` past the ']'.
bool in_set(std::string_view pattern, std::size_t& at, char c) {
  bool negated = false, found = false;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) {
    negated = true;
    ++at;
  }
  for (bool first = true; at < pattern.size() && (first || pattern[at] != ']'); first = false) {
    const char low = pattern[at++];
    char high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      high = pattern[at + 1];
      at += 2;
    }
    found = found || (low <= c && c <= high);
  }
  if (at < pattern.size()) ++at;
  return found != negated;
}

/// Shell matching; '*' and '?' do not match '/'. Backtracks to the last star only, so it is linear
/// in practice and quadratic at worst.
bool glob(std::string_view pattern, std::string_view text) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t p = 0, t = 0, star = kNone, star_text = 0;
  while (t < text.size()) {
    bool ok = false;
    if (p < pattern.size()) {
      std::size_t next = p + 1;
      switch (pattern[p]) {
        case '*':
          star = p++;
          star_text = t;
          continue;
        case '?':
          ok = text[t] != '/';
          break;
        case '[':
          ok = in_set(pattern, next, text[t]) && text[t] != '/';
          break;
        case '\\':
          if (next < pattern.size()) ok = pattern[next++] == text[t];
          break;
        default:
          ok = pattern[p] == text[t];
      }
      if (ok) {
        p = next;
        ++t;
        continue;
      }
    }
    if (star == kNone || text[star_text] == '/') return false;
    p = star + 1;
    t = ++star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

IgnoreList::IgnoreList(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
      line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    Rule rule;
    if (line.front() == '!') {
      rule.negated = true;
      line.remove_prefix(1);
    }
    if (line.ends_with('/')) {
      rule.folders_only = true;
      line.remove_suffix(1);
    }
    rule.anchored = line.find('/') != std::string_view::npos;
    if (line.starts_with('/')) line.remove_prefix(1);
    rule.pattern = line;
    if (!rule.pattern.empty()) rules_.push_back(std::move(rule));
  }
}

bool IgnoreList::matches(std::string_view path, bool is_folder) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folders_only && !is_folder) continue;
    if (glob(rule->pattern, rule->anchored ? path : base_of(path))) return !rule->negated;
  }
  return false;
}

bool IgnoreList::ignores(std::string_view path) const {
  if (rules_.empty()) return false;
  for (std::size_t at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1))
    if (matches(path.substr(0, at), true)) return true;
  return matches(path, false);
}

}  // namespace portico::render
