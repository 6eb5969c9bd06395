// Parses any text as a command: words, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fnrun/exec.h"

namespace portico::fnrun {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto words = split_command(text);
  if (words && words->empty()) std::abort();
  std::size_t bytes = 0;
  if (words)
    for (const std::string& word : *words) bytes += word.size();
  if (bytes > size) std::abort();
  return 0;
}

}  // namespace portico::fnrun
