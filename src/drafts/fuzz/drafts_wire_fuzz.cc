// Parses any JSON as client input: what is accepted must survive a round trip unchanged.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "drafts/wire.h"
#include "json/text.h"

namespace portico::drafts {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = json::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!parsed) return 0;
  if (const auto request = request_from_json(*parsed)) {
    const auto again = request_from_json(to_json(*request));
    if (!again || !(to_json(*again) == to_json(*request))) std::abort();
  }
  if (const auto drafted = drafted_from_json(*parsed)) {
    const auto again = drafted_from_json(to_json(*drafted));
    if (!again || !(again->built.content == drafted->built.content)) std::abort();
  }
  (void)steps_from_json(*parsed);
  return 0;
}

}  // namespace portico::drafts
