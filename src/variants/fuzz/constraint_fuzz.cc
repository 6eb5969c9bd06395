// Any text as constraint and as version: parsed or refused, and what matches is ordered sanely.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "variants/semver.h"

namespace portico::variants {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = text.find('\n');
  const auto constraint = Constraint::parse(text.substr(0, line));
  const auto version = parse_version(line == std::string_view::npos ? text : text.substr(line + 1));
  if (version) {
    const auto again = parse_version(version->text());
    if (!again || *again != *version) std::abort();
    // A constraint has no more characters than a version may, so "=" may be one too many.
    const auto exactly = Constraint::parse("=" + version->text());
    if (exactly ? !exactly->matches(*version) : version->text().size() < 256) std::abort();
    if (constraint) (void)constraint->matches(*version);
  }
  return 0;
}

}  // namespace portico::variants
