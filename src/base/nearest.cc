#include "base/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace portico {
namespace {

constexpr std::size_t kLongest = 64;

bool same(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// How many letters have to change, a swap of neighbours counted once.
std::size_t distance(std::string_view a, std::string_view b) {
  using Row = std::array<std::size_t, kLongest + 1>;
  Row before{}, last{}, now{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1,
                         last[j - 1] + (same(a[i - 1], b[j - 1]) ? std::size_t{0} : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    last = now;
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view written, std::span<const std::string_view> words) {
  if (written.size() > kLongest) return "";
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, written.size() / 3) + 1;
  for (const std::string_view word : words) {
    if (word.size() > kLongest) continue;
    if (const std::size_t steps = distance(written, word); steps < least) {
      least = steps;
      best = word;
    }
  }
  return best;
}

}  // namespace portico
