#include "seal/secrets_cipher.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/fd.h"
#include "base/hash.h"
#include "base/secret_file.h"

namespace portico::seal {

namespace {

constexpr std::size_t kKeyBytes = 32, kNonceBytes = 12, kTagBytes = 16, kIdDigits = 8;
constexpr std::size_t kMostFile = std::size_t{64} << 10;
constexpr std::string_view kMark = "aesgcm:v1:";

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Result<std::string> random_bytes(std::size_t count) {
  std::string out(count, '\0');
  if (RAND_bytes(bytes_of(out), static_cast<int>(count)) != 1)
    return unavailable("cannot get random bytes from the system");
  return out;
}

struct Key {
  std::string id, bytes;
};

Error wrong(std::string_view why) { return invalid("cannot decrypt an object: {}", why); }

class AesGcm final : public store::Cipher {
 public:
  AesGcm(std::vector<Key> keys, std::string where)
      : keys_(std::move(keys)), where_(std::move(where)) {}

  bool hides(const krm::GroupKind& kind) const override {
    return kind.group.empty() && kind.kind == "Secret";
  }

  Result<std::string> seal(std::string_view text, std::string_view place) const override {
    PORTICO_TRY(const std::string nonce, random_bytes(kNonceBytes));
    const CipherContext context(EVP_CIPHER_CTX_new());
    std::string out(text.size(), '\0'), tag(kTagBytes, '\0');
    int written = 0;
    const bool good =
        context != nullptr &&
        EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr,
                           bytes_of(std::string_view(keys_.front().bytes)),
                           bytes_of(std::string_view(nonce))) == 1 &&
        EVP_EncryptUpdate(context.get(), nullptr, &written, bytes_of(place),
                          static_cast<int>(place.size())) == 1 &&
        EVP_EncryptUpdate(context.get(), bytes_of(out), &written, bytes_of(text),
                          static_cast<int>(text.size())) == 1 &&
        EVP_EncryptFinal_ex(context.get(), bytes_of(tag), &written) == 1 &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes, tag.data()) == 1;
    if (!good) return internal("cannot encrypt an object");
    return fmt::format("{}{}:{}", kMark, keys_.front().id, base64_encode(nonce + out + tag));
  }

  Result<std::string> open(std::string_view sealed, std::string_view place) const override {
    if (id_of(sealed).empty()) return wrong("it has an unknown format");
    const auto key = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const Key& one) { return one.id == id_of(sealed); });
    if (key == keys_.end()) return not_found("key {} not found {}", id_of(sealed), where_);
    std::string all;
    if (!base64_decode(sealed.substr(kMark.size() + kIdDigits + 1), all) ||
        all.size() < kNonceBytes + kTagBytes)
      return wrong("it is truncated");
    const std::string_view nonce = std::string_view(all).substr(0, kNonceBytes);
    const std::string_view text =
        std::string_view(all).substr(kNonceBytes, all.size() - kNonceBytes - kTagBytes);
    std::string tag = all.substr(all.size() - kTagBytes);
    const CipherContext context(EVP_CIPHER_CTX_new());
    std::string out(text.size(), '\0');
    std::array<unsigned char, kTagBytes> rest{};
    int written = 0;
    const bool good =
        context != nullptr &&
        EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr,
                           bytes_of(std::string_view(key->bytes)), bytes_of(nonce)) == 1 &&
        EVP_DecryptUpdate(context.get(), nullptr, &written, bytes_of(place),
                          static_cast<int>(place.size())) == 1 &&
        EVP_DecryptUpdate(context.get(), bytes_of(out), &written, bytes_of(text),
                          static_cast<int>(text.size())) == 1 &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, tag.data()) == 1 &&
        EVP_DecryptFinal_ex(context.get(), rest.data(), &written) == 1;
    if (!good) return wrong("it was modified, or belongs to another object");
    return out;
  }

  bool is_current(std::string_view sealed) const override {
    return id_of(sealed) == keys_.front().id;
  }

  std::string advice() const override {
    return fmt::format(
        "restore the key {}, or discard the content of these objects by starting `portico serve "
        "--forget-lost-secrets` once",
        where_);
  }

 private:
  static std::string_view id_of(std::string_view sealed) {
    if (!sealed.starts_with(kMark)) return {};
    sealed.remove_prefix(kMark.size());
    return sealed.find(':') == kIdDigits ? sealed.substr(0, kIdDigits) : std::string_view();
  }

  std::vector<Key> keys_;  // never empty
  std::string where_;      // "in FILE"
};

}  // namespace

Result<std::vector<std::string>> parse_keys(std::string_view text) {
  std::vector<std::string> out;
  std::size_t line_number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    ++line_number;
    const auto place = [&] { return fmt::format("line {}", line_number); };
    constexpr std::string_view kBlanks = " \t\r,";
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
         at = line.find_first_not_of(kBlanks)) {
      line.remove_prefix(at);
      const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
      line.remove_prefix(word.size());
      std::string key;
      if (!base64_decode(word, key) || key.size() != kKeyBytes)
        return invalid(
                   "a key is not {} bytes in base64: create one with `head -c {} /dev/urandom | "
                   "base64`",
                   kKeyBytes, kKeyBytes)
            .in(place());
      if (std::find(out.begin(), out.end(), key) != out.end())
        return invalid("duplicate key").in(place());
      out.push_back(std::move(key));
    }
  }
  if (out.empty()) return invalid("no key found");
  return out;
}

Result<std::shared_ptr<const store::Cipher>> make_cipher(const std::vector<std::string>& keys,
                                                         std::string where) {
  std::vector<Key> all;
  for (const std::string& key : keys) {
    if (key.size() != kKeyBytes) return internal("a key has {} bytes", key.size());
    all.push_back({sha256_hex("portico secrets key " + key).substr(0, kIdDigits), key});
  }
  if (all.empty()) return internal("no key found");
  return std::shared_ptr<const store::Cipher>(
      std::make_shared<AesGcm>(std::move(all), std::move(where)));
}

namespace {

// A concurrent process uses the first one's key, because overwriting would lose that key.
Result<std::string> made_key(const std::string& path) {
  PORTICO_TRY(const std::string key, random_bytes(kKeyBytes));
  const std::string fresh = fmt::format("{}.{}", path, ::getpid());
  PORTICO_DO(write_secret_file(
      fresh,
      fmt::format("# Secrets in this folder are encrypted with the first of these keys.\n{}\n",
                  base64_encode(key))));
  const bool linked = ::link(fresh.c_str(), path.c_str()) == 0;
  const int error = errno;
  ::unlink(fresh.c_str());
  if (!linked && error != EEXIST) return file_error("make", path, error);
  // After a power failure, a stored Secret must still have its key.
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const Fd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened || ::fsync(opened.get()) != 0) return file_error("sync", folder, errno);
  return read_small_file(path, kMostFile, true);
}

}  // namespace

Result<std::shared_ptr<const store::Cipher>> open_cipher(const std::string& folder,
                                                         const std::string& given, bool make) {
  if (!given.empty()) {
    PORTICO_TRY(const auto keys, parse_keys(given), "PORTICO_SECRETS_KEY");
    return make_cipher(keys, "in PORTICO_SECRETS_KEY");
  }
  const std::string path = folder + "/secrets.key";
  auto text = read_small_file(path, kMostFile, true);
  if (!text && text.error().code != Code::kNotFound) return std::move(text).error();
  if (!text && !make) {
    PORTICO_TRY(const std::string key, random_bytes(kKeyBytes));
    return make_cipher({key}, "in " + path);
  }
  if (!text) text = made_key(path);
  if (!text) return std::move(text).error();
  PORTICO_TRY(const auto keys, parse_keys(*text), path);
  return make_cipher(keys, "in " + path);
}

}  // namespace portico::seal
