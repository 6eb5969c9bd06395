#include "git/oid.h"

namespace portico::git {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Result<Oid> parse_oid(std::string_view text) {
  Oid id;
  if (text.size() != 2 * id.bytes.size())
    return invalid("object id {:?} has {} characters instead of 40", text.substr(0, 80),
                   text.size());
  for (std::size_t i = 0; i < id.bytes.size(); ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return invalid("object id {:?} is not hexadecimal", text);
    id.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return id;
}

}  // namespace portico::git
