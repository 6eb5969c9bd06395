// Arbitrary bytes: both parsers agree, and printing a parsed value gives an equivalent text.
#include <cstdint>
#include <cstdlib>

#include "json/internal/careful_parser.h"
#include "json/patch.h"
#include "json/text.h"

namespace portico::json {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParseLimits limits{.bytes = 1 << 20, .depth = 64};
  const auto value = parse(text, limits);
  const auto careful = parse_carefully(text, limits);
  if (value.ok() != careful.ok()) std::abort();
  if (!value) {
    if (value.error() != careful.error()) std::abort();
    return 0;
  }
  if (*value != *careful || !check_printable(*value, limits)) std::abort();
  const auto again = parse(print(*value), limits);
  const auto pretty = parse(print_pretty(*value), limits);
  if (!again || *again != *value || !pretty || *pretty != *value) std::abort();
  const Value patched = with_merge_patch(*value, *value);
  if (with_merge_patch(patched, *value) != patched) std::abort();
  return 0;
}

}  // namespace portico::json
