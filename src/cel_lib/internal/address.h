// IP addresses and prefixes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace portico::cel_lib::internal {

/// An IPv4 address is stored in the last four bytes; `zone` is the text after a '%'.
struct Address {
  bool v4 = false;
  std::array<std::uint8_t, 16> bytes{};
  std::string zone;

  bool operator==(const Address&) const = default;

  bool is_mapped() const;  // ::ffff:0:0/96
  Address unmapped() const;
  bool is_unspecified() const;
  bool is_loopback() const;
  bool is_multicast() const;
  bool is_link_local_multicast() const;
  bool is_link_local_unicast() const;
  bool is_global_unicast() const;
  /// RFC 5952: lower case, with the longest run of zeros as "::".
  std::string text() const;
};

struct Prefix {
  Address address;
  int bits = 0;

  bool operator==(const Prefix&) const = default;

  Prefix masked() const;
  bool contains(const Address& other) const;
  bool contains(const Prefix& other) const;
  std::string text() const { return address.text() + "/" + std::to_string(bits); }
};

/// A parsed value, or the reason why there is none.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string error;
};

/// Messages are those of Go's net/netip, which Kubernetes users know: `ParseAddr("1.2.3"): IPv4
/// address too short`.
Parsed<Address> parse_address(std::string_view text);
Parsed<Prefix> parse_prefix(std::string_view text);

}  // namespace portico::cel_lib::internal
