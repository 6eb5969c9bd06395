// Parses arbitrary bytes as a token file: users in system:authenticated, or an error with its
// line.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "identity/token_file.h"

namespace portico::identity {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = parse_token_file({reinterpret_cast<const char*>(data), size});
  if (!table) {
    if (table.error().where.empty() || table.error().what.empty()) std::abort();
    return 0;
  }
  for (const auto& [digest, user] : *table)
    if (digest.size() != 64 || user.name.empty() || !user.is_in("system:authenticated"))
      std::abort();
  return 0;
}

}  // namespace portico::identity
