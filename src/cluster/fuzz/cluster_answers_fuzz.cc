// Any bytes as a server's response: yields a one-line Error, and resources with paths.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cluster/discovery.h"
#include "cluster/status.h"
#include "json/text.h"

namespace portico::cluster {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const int status : {400, 409, 422, 500})
    if (error_of(status, text).what.find('\n') != std::string::npos) std::abort();
  const auto parsed = json::parse(text);
  if (!parsed) return 0;
  Discovery discovery;
  (void)discovery.add_groups(*parsed);
  (void)discovery.add_resources(*parsed);
  for (const Resource& each : discovery.all()) {
    if (discovery.find(each.kind) == nullptr) std::abort();
    if (!each.path("ns", "a/b").starts_with("/api")) std::abort();
  }
  return 0;
}

}  // namespace portico::cluster
