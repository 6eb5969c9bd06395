// Any text as a constraint: what it allows it meets, and nothing overflows.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "functions/internal/version_constraint.h"

namespace portico::functions {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto constraint = VersionConstraint::parse(text);
  if (!constraint) return 0;
  const auto any = VersionConstraint::parse("*");
  for (const Version& version : {Version{0, 0, 0}, {0, 4, 1}, {1, 2, 3}, {999, 0, 0}})
    if (constraint->allows(version) && !constraint->meets(*any)) std::abort();
  if (const auto version = parse_version(text); version && !constraint->allows(*version))
    std::abort();
  return 0;
}

}  // namespace portico::functions
