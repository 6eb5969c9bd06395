// Digests, and identifiers derived from them. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace portico {

using Sha1 = std::array<std::uint8_t, 20>;

/// Digests, computed by OpenSSL. Thread-safe.
Sha1 sha1(std::string_view bytes);
std::string sha1_hex(std::string_view bytes);    // 40 lower-case hex digits
std::string sha256_hex(std::string_view bytes);  // 64 lower-case hex digits
std::string md5_hex(std::string_view bytes);     // 32; for formats that use MD5

std::string hex(const std::uint8_t* bytes, std::size_t size);

std::string base64_encode(std::string_view bytes);
/// Standard alphabet with padding; returns false for any other text.
bool base64_decode(std::string_view text, std::string& bytes);

/// A version 5 UUID (RFC 4122) of `name` in the namespace `space`, which is any text and is hashed
/// too.
std::string uuid5(std::string_view space, std::string_view name);

}  // namespace portico
