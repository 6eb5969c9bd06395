// Arbitrary fields are rejected, or parsed to a set that survives writing and parsing.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fieldset/set.h"
#include "json/text.h"

namespace fieldset = portico::fieldset;
namespace json = portico::json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto fields = json::parse(text);
  if (!fields) return 0;
  const auto set = fieldset::parse_fields(*fields);
  if (!set) return 0;
  const auto again = fieldset::parse_fields(fieldset::to_fields(*set));
  if (!again || *again != *set) {
    std::fprintf(stderr, "not read as it was written:\n%s", set->text().c_str());
    std::abort();
  }
  if (!fieldset::difference(*set, *set).empty() || fieldset::union_of(*set, *set) != *set) {
    std::fprintf(stderr, "a set differs from itself:\n%s", set->text().c_str());
    std::abort();
  }
  return 0;
}
