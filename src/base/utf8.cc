#include "base/utf8.h"

namespace portico {
namespace {

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

}  // namespace

Utf8Character utf8_front(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1, true};
  std::size_t size = 0;
  std::uint32_t code = 0, least = 0;
  if ((lead & 0xe0) == 0xc0) size = 2, code = lead & 0x1f, least = 0x80;
  if ((lead & 0xf0) == 0xe0) size = 3, code = lead & 0x0f, least = 0x800;
  if ((lead & 0xf8) == 0xf0) size = 4, code = lead & 0x07, least = 0x10000;
  if (size == 0) return {lead, 1, false};
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text, i)) return {lead, 1, false};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {lead, 1, false};
  return {code, size, true};
}

}  // namespace portico
