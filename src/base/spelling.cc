#include "base/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace portico {

namespace {

/// Longer names are not compared: the cost is the product of the lengths.
constexpr std::size_t kLongest = 200;

std::string folded(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != '_') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Insertions, deletions and substitutions of bytes (Levenshtein).
std::size_t distance(std::string_view x, std::string_view y) {
  std::vector<std::size_t> row(y.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t substituted = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j - 1] + 1, row[j] + 1});
    }
  }
  return row[y.size()];
}

}  // namespace

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.size() > kLongest) return {};
  const std::string wanted = folded(name);
  std::string_view best;
  std::size_t least = (wanted.size() + 1) / 2;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const std::size_t changes = distance(wanted, folded(candidate));
    if (changes >= least) continue;
    least = changes;
    best = candidate;
  }
  return best;
}

std::string hint(std::string_view name, const std::vector<std::string_view>& candidates,
                 std::string_view prefix) {
  const std::string_view best = nearest(name, candidates);
  return best.empty() ? "" : fmt::format(" (did you mean {}{}?)", prefix, best);
}

}  // namespace portico
