#include "git/oid.h"

#include <array>
#include <cstdint>

namespace portico::git {
namespace {

// The value of each byte as a hex digit; -1 if it is not one.
constexpr std::array<std::int8_t, 256> kDigits = [] {
  std::array<std::int8_t, 256> out{};
  out.fill(-1);
  std::int8_t value = 0;
  for (const unsigned char c : std::string_view("0123456789")) out[c] = value++;
  for (const unsigned char c : std::string_view("abcdef")) {
    out[c] = value;
    out[c - std::size_t{'a' - 'A'}] = value++;
  }
  return out;
}();

int digit(char c) { return kDigits[static_cast<unsigned char>(c)]; }

}  // namespace

std::string Oid::hex() const {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out(2 * bytes.size(), '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out[2 * i] = kHex[bytes[i] >> 4];
    out[2 * i + 1] = kHex[bytes[i] & 15];
  }
  return out;
}

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
