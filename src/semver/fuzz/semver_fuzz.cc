// Arbitrary text as constraint and as version: rejected, or accepted with consistent results.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "semver/constraint.h"

namespace portico::semver {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const auto constraint = Constraint::parse(text.substr(0, line));
  const std::string_view written = line == std::string_view::npos ? text : text.substr(line + 1);
  if (const auto strict = parse_strict(written)) {
    const auto normalized = parse_normalized(written);
    if (!normalized || *normalized != *strict) std::abort();
    const auto loose = parse_version(written);
    if (written.size() <= 256 && (!loose || *loose != *strict)) std::abort();
  }
  const auto version = parse_version(written);
  if (!version) return 0;
  const auto again = parse_version(version->text());
  // Filling in omitted numbers makes a text longer.
  if (again ? *again != *version : version->text().size() <= 256) std::abort();
  const auto exactly = Constraint::parse("=" + version->text());
  if (!exactly || !exactly->allows(*version)) std::abort();
  if (!constraint) return 0;
  if (constraint->allows(*version) != constraint->meets(*exactly)) {
    // A prerelease that the constraint does not ask for is not considered.
    if (version->is_release() || constraint->allows(*version)) std::abort();
  }
  return 0;
}

}  // namespace portico::semver
