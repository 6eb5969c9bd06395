// Removes the secrets of any text: a second pass must find nothing.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/secrets.h"
#include "base/world_error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string shown = portico::without_secrets(text);
  if (portico::without_secrets(shown) != shown) std::abort();
  const std::size_t half = size / 2;
  portico::credential_in(text);
  portico::transport_helper(text);
  portico::remedy_of_git(text.substr(half), text.substr(0, half));
  portico::remedy_of_rejected_ref(text);
  return 0;
}
