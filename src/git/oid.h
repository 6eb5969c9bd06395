// The id of a git object: a SHA-1.
#pragma once

#include <compare>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"

namespace portico::git {

/// All zeros means "no object", as in git's own protocols.
struct Oid {
  Sha1 bytes{};

  bool is_zero() const { return *this == Oid{}; }
  std::string hex() const;  // 40 lower-case digits
  /// The first 8 hex digits, for messages.
  std::string short_hex() const { return hex().substr(0, 8); }
  auto operator<=>(const Oid&) const = default;
};

/// 40 hex digits in either case; anything else is kInvalid.
Result<Oid> parse_oid(std::string_view text);

/// `bytes` must point to at least 20 bytes.
inline Oid oid_from_bytes(const char* bytes) {
  Oid id;
  std::memcpy(id.bytes.data(), bytes, id.bytes.size());
  return id;
}

}  // namespace portico::git

template <>
struct std::hash<portico::git::Oid> {
  std::size_t operator()(const portico::git::Oid& id) const noexcept {
    std::size_t value = 0;
    std::memcpy(&value, id.bytes.data(), sizeof value);
    return value;
  }
};
