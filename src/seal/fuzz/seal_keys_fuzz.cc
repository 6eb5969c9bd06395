// Arbitrary bytes as key files and sealed texts: keys that parse make a cipher, and a text that it
// has not sealed never opens.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "seal/secrets_cipher.h"

namespace seal = portico::seal;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto keys = seal::parse_keys(text); keys && !seal::make_cipher(*keys, "in a test"))
    std::abort();
  const auto cipher = seal::make_cipher({std::string(32, 'k')}, "in a test");
  if (!cipher || (*cipher)->open(text, "place")) std::abort();
  return 0;
}
