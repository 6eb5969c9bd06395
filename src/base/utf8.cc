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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Character next = utf8_front(text);
    if (!next.valid) return false;
    text.remove_prefix(next.size);
  }
  return true;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto tail = [&put, code](int shift) { put(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      put(0xe0 | (code >> 12));
    } else {
      put(0xf0 | (code >> 18));
      tail(12);
    }
    tail(6);
  }
  tail(0);
}

}  // namespace portico
