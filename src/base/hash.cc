#include "base/hash.h"

#include <openssl/evp.h>

#include <algorithm>

namespace portico {
namespace {

template <std::size_t N>
std::array<std::uint8_t, N> digest(std::string_view bytes, const EVP_MD* method) {
  std::array<std::uint8_t, N> out{};
  unsigned int size = N;
  EVP_Digest(bytes.data(), bytes.size(), out.data(), &size, method, nullptr);
  return out;
}

}  // namespace

std::string hex(const std::uint8_t* bytes, std::size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out(size * 2, '0');
  for (std::size_t i = 0; i < size; ++i) {
    out[2 * i] = kDigits[bytes[i] >> 4];
    out[2 * i + 1] = kDigits[bytes[i] & 15];
  }
  return out;
}

Sha1 sha1(std::string_view bytes) { return digest<20>(bytes, EVP_sha1()); }

std::string sha1_hex(std::string_view bytes) {
  const Sha1 sum = sha1(bytes);
  return hex(sum.data(), sum.size());
}

std::string sha256_hex(std::string_view bytes) {
  const auto sum = digest<32>(bytes, EVP_sha256());
  return hex(sum.data(), sum.size());
}

std::string md5_hex(std::string_view bytes) {
  const auto sum = digest<16>(bytes, EVP_md5());
  return hex(sum.data(), sum.size());
}

std::string base64_encode(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

bool base64_decode(std::string_view text, std::string& bytes) {
  std::string digits;
  for (const char c : text)
    if (c != '\n' && c != '\r') digits += c;
  // OpenSSL accepts blanks around the text and padding anywhere.
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t padding_at = std::min(digits.find_first_not_of(kDigits), digits.size());
  const std::size_t padding = digits.size() - padding_at;
  if (digits.size() % 4 != 0 || padding > 2) return false;
  if (digits.find_first_not_of('=', padding_at) != std::string::npos) return false;
  bytes.assign(digits.size() / 4 * 3 + 1, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(digits.data()),
                                   static_cast<int>(digits.size()));
  if (size < 0) return false;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return true;
}

std::string uuid5(std::string_view space, std::string_view name) {
  Sha1 sum = sha1(std::string(space) + '\0' + std::string(name));
  sum[6] = static_cast<std::uint8_t>((sum[6] & 0x0f) | 0x50);
  sum[8] = static_cast<std::uint8_t>((sum[8] & 0x3f) | 0x80);
  std::string out = hex(sum.data(), 16);
  for (const std::size_t at : {8, 13, 18, 23}) out.insert(at, 1, '-');
  return out;
}

}  // namespace portico
