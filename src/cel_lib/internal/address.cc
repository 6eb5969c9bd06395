#include "cel_lib/internal/address.h"

#include <fmt/format.h>

#include <algorithm>

#include "cel_lib/internal/declare.h"

namespace portico::cel_lib::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class AddressReader {
 public:
  explicit AddressReader(std::string_view text) : text_(text) {}

  Parsed<Address> read() {
    const std::size_t mark = text_.find_first_of(".:%");
    if (mark == std::string_view::npos) return fail("unable to parse IP");
    if (text_[mark] == '%') return fail("missing IPv6 address");
    if (text_[mark] == ':') return read_v6();
    std::array<std::uint8_t, 4> fields{};
    if (auto error = read_v4(text_, fields); !error.empty()) return fail(error);
    Address out;
    out.v4 = true;
    std::copy(fields.begin(), fields.end(), out.bytes.begin() + 12);
    return {out, ""};
  }

 private:
  Parsed<Address> fail(std::string_view message, std::string_view at = {}) const {
    std::string error = fmt::format("ParseAddr({}): {}", go_quoted(text_), message);
    if (!at.empty()) error += fmt::format(" (at {})", go_quoted(at));
    return {std::nullopt, std::move(error)};
  }

  static std::string read_v4(std::string_view text, std::array<std::uint8_t, 4>& fields) {
    std::size_t field = 0;
    int value = 0;
    int digits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (is_digit(c)) {
        if (digits == 1 && value == 0) return "IPv4 field has octet with leading zero";
        value = value * 10 + (c - '0');
        ++digits;
        if (value > 255) return "IPv4 field has value >255";
      } else if (c == '.') {
        if (digits == 0 || i + 1 == text.size())
          return fmt::format("IPv4 field must have at least one digit (at {})",
                             go_quoted(text.substr(i)));
        if (field == 3) return "IPv4 address too long";
        fields[field++] = static_cast<std::uint8_t>(value);
        value = digits = 0;
      } else {
        return fmt::format("unexpected character (at {})", go_quoted(text.substr(i)));
      }
    }
    if (field < 3) return "IPv4 address too short";
    fields[3] = static_cast<std::uint8_t>(value);
    return "";
  }

  Parsed<Address> read_v6() {
    std::string_view rest = text_;
    Address out;
    if (const std::size_t percent = rest.find('%'); percent != std::string_view::npos) {
      out.zone = rest.substr(percent + 1);
      rest = rest.substr(0, percent);
      if (out.zone.empty()) return fail("zone must be a non-empty string");
    }
    std::optional<std::size_t> ellipsis;
    if (rest.starts_with("::")) {
      ellipsis = 0;
      rest.remove_prefix(2);
    }
    std::size_t at = 0;
    while (at < 16 && !rest.empty()) {
      std::size_t digits = 0;
      unsigned value = 0;
      for (; digits < rest.size() && hex_digit(rest[digits]) >= 0; ++digits) {
        value = value * 16 + static_cast<unsigned>(hex_digit(rest[digits]));
        if (digits > 3) return fail("each group must have 4 or less digits", rest);
      }
      if (digits == 0) return fail("each colon-separated field must have at least one digit", rest);
      if (digits < rest.size() && rest[digits] == '.') {
        if (!ellipsis && at != 12)
          return fail("embedded IPv4 address must replace the final 2 fields of the address", rest);
        if (at + 4 > 16)
          return fail("too many hex fields to fit an embedded IPv4 at the end of the address",
                      rest);
        std::array<std::uint8_t, 4> fields{};
        if (auto error = read_v4(rest, fields); !error.empty()) return fail(error);
        std::copy(fields.begin(), fields.end(), out.bytes.begin() + static_cast<long>(at));
        at += 4;
        rest = {};
        break;
      }
      out.bytes[at++] = static_cast<std::uint8_t>(value >> 8);
      out.bytes[at++] = static_cast<std::uint8_t>(value);
      rest.remove_prefix(digits);
      if (rest.empty()) break;
      if (rest[0] != ':') return fail("unexpected character, want colon", rest);
      if (rest.size() == 1) return fail("colon must be followed by more characters", rest);
      rest.remove_prefix(1);
      if (rest[0] != ':') continue;
      if (ellipsis) return fail("multiple :: in address", rest);
      ellipsis = at;
      rest.remove_prefix(1);
    }
    if (!rest.empty()) return fail("trailing garbage after address", rest);
    if (at < 16) {
      if (!ellipsis) return fail("address string too short");
      std::move_backward(out.bytes.begin() + static_cast<long>(*ellipsis),
                         out.bytes.begin() + static_cast<long>(at), out.bytes.end());
      std::fill_n(out.bytes.begin() + static_cast<long>(*ellipsis), 16 - at, std::uint8_t{0});
    } else if (ellipsis) {
      return fail("the :: must expand to at least one field of zeros");
    }
    return {out, ""};
  }

  std::string_view text_;
};

// The first `bits` of an address; the other bits are zero.
Address mask(const Address& address, int bits) {
  Address out = address;
  int left = bits + (address.v4 ? 96 : 0);
  for (std::uint8_t& byte : out.bytes) {
    if (left <= 0) byte = 0;
    if (left > 0 && left < 8) byte = static_cast<std::uint8_t>(byte & (0xff00 >> left));
    left -= 8;
  }
  return out;
}

}  // namespace

bool Address::is_mapped() const {
  if (v4 || bytes[10] != 0xff || bytes[11] != 0xff) return false;
  return std::all_of(bytes.begin(), bytes.begin() + 10, [](std::uint8_t b) { return b == 0; });
}

Address Address::unmapped() const {
  Address out = *this;
  if (is_mapped()) {
    out.v4 = true;
    out.bytes[10] = out.bytes[11] = 0;
  }
  return out;
}

bool Address::is_unspecified() const {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; });
}

bool Address::is_loopback() const {
  if (v4) return bytes[12] == 127;
  return bytes[15] == 1 &&
         std::all_of(bytes.begin(), bytes.end() - 1, [](std::uint8_t b) { return b == 0; });
}

bool Address::is_multicast() const { return v4 ? (bytes[12] & 0xf0) == 0xe0 : bytes[0] == 0xff; }

bool Address::is_link_local_multicast() const {
  if (v4) return bytes[12] == 224 && bytes[13] == 0 && bytes[14] == 0;
  return bytes[0] == 0xff && (bytes[1] & 0x0f) == 0x02;
}

bool Address::is_link_local_unicast() const {
  if (v4) return bytes[12] == 169 && bytes[13] == 254;
  return bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

bool Address::is_global_unicast() const {
  const bool broadcast =
      v4 && std::all_of(bytes.begin() + 12, bytes.end(), [](std::uint8_t b) { return b == 0xff; });
  return !broadcast && !is_unspecified() && !is_loopback() && !is_multicast() &&
         !is_link_local_unicast();
}

std::string Address::text() const {
  if (v4) return fmt::format("{}.{}.{}.{}", bytes[12], bytes[13], bytes[14], bytes[15]);
  if (is_mapped()) return "::ffff:" + unmapped().text();
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < 8; ++i) groups[i] = bytes[2 * i] * 256u + bytes[2 * i + 1];
  std::size_t best = 8;
  std::size_t best_size = 1;  // a single zero is written out
  for (std::size_t i = 0; i < 8; ++i) {
    std::size_t size = 0;
    while (i + size < 8 && groups[i + size] == 0) ++size;
    if (size > best_size) {
      best = i;
      best_size = size;
    }
  }
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == best) {
      out += "::";
      i += best_size - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    out += fmt::format("{:x}", groups[i]);
  }
  return zone.empty() ? out : out + "%" + zone;
}

Prefix Prefix::masked() const { return {mask(address, bits), bits}; }

bool Prefix::contains(const Address& other) const {
  return other.v4 == address.v4 && other.zone.empty() && mask(other, bits) == mask(address, bits);
}

bool Prefix::contains(const Prefix& other) const {
  return bits <= other.bits && contains(other.address);
}

Parsed<Address> parse_address(std::string_view text) { return AddressReader(text).read(); }

Parsed<Prefix> parse_prefix(std::string_view text) {
  const auto fail = [text](std::string_view message) {
    return Parsed<Prefix>{std::nullopt,
                          fmt::format("netip.ParsePrefix({}): {}", go_quoted(text), message)};
  };
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return fail("no '/'");
  Parsed<Address> address = parse_address(text.substr(0, slash));
  if (!address.value) return fail(address.error);
  if (!address.value->zone.empty()) return fail("IPv6 zones cannot be present in a prefix");
  const std::string_view digits = text.substr(slash + 1);
  const bool number = !digits.empty() && digits.size() <= 3 &&
                      std::all_of(digits.begin(), digits.end(), is_digit) &&
                      (digits.size() == 1 || digits[0] != '0');
  if (!number) return fail("bad bits after slash: " + go_quoted(digits));
  int bits = 0;
  for (const char c : digits) bits = bits * 10 + (c - '0');
  if (bits > (address.value->v4 ? 32 : 128)) return fail("prefix length out of range");
  return {Prefix{*address.value, bits}, ""};
}

}  // namespace portico::cel_lib::internal
