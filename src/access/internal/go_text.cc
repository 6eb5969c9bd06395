#include "access/internal/go_text.h"

#include <fmt/format.h>

namespace portico::access::internal {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f)
          out += fmt::format("\\x{:02x}", byte);
        else
          out += c;
    }
  }
  return out + "\"";
}

std::string quoted(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += " ";
    out += quoted(text);
  }
  return out + "]";
}

}  // namespace portico::access::internal
