// Any header as traceparent: rejected, or formatted exactly as it was parsed.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/trace_parent.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto context = portico::parse_traceparent(text);
  if (!context) return 0;
  if (context->span == 0 || (context->trace_high == 0 && context->trace_low == 0)) std::abort();
  const std::string written = portico::traceparent_text(*context);
  if (portico::parse_traceparent(written) != context) std::abort();
  if (text.substr(2, 50) != std::string_view(written).substr(2, 50)) std::abort();
  return 0;
}
