#include "identity/jwt.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "identity/internal/openssl.h"
#include "json/text.h"

namespace portico::identity {
namespace {

using internal::Key;
using internal::Number;

constexpr std::size_t kMostBytes = 64u << 10;
constexpr std::size_t kCoordinate = 32;  // bytes of a P-256 coordinate
constexpr int kLeastRsaBits = 2048, kMostRsaBits = 8192;
constexpr json::ParseLimits kLimits{.bytes = kMostBytes, .depth = 32};

Error no_token(std::string_view why) {
  return invalid("not a signed JSON Web Token: {}", why).because(Reason::kUnauthorized);
}

Number number_of(std::string_view bytes) {
  return Number(BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()),
                          static_cast<int>(bytes.size()), nullptr));
}

std::string bytes_of(const BIGNUM* number, std::size_t size) {
  std::string bytes(size, '\0');
  if (BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(size)) <
      0)
    return {};
  return bytes;
}

// Converts an ECDSA signature from two concatenated numbers to OpenSSL's DER, and back.
std::string der_of(std::string_view signature) {
  const internal::Signature both(ECDSA_SIG_new());
  ECDSA_SIG_set0(both.get(), number_of(signature.substr(0, kCoordinate)).release(),
                 number_of(signature.substr(kCoordinate)).release());
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(both.get(), &der);
  std::string out(reinterpret_cast<const char*>(der), static_cast<std::size_t>(std::max(size, 0)));
  OPENSSL_free(der);
  return out;
}

std::string joined_of(std::string_view der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  const internal::Signature both(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (!both) return {};
  return bytes_of(ECDSA_SIG_get0_r(both.get()), kCoordinate) +
         bytes_of(ECDSA_SIG_get0_s(both.get()), kCoordinate);
}

// "ES256", "RS256", or "" for an unsupported key.
std::string algorithm_of(const EVP_PKEY* key) {
  if (EVP_PKEY_is_a(key, "RSA") == 1) {
    const int bits = EVP_PKEY_get_bits(key);
    return bits >= kLeastRsaBits && bits <= kMostRsaBits ? "RS256" : "";
  }
  std::array<char, 64> group{};
  if (EVP_PKEY_is_a(key, "EC") == 1 &&
      EVP_PKEY_get_group_name(key, group.data(), group.size(), nullptr) == 1 &&
      (std::string_view(group.data()) == "prime256v1" || std::string_view(group.data()) == "P-256"))
    return "ES256";
  return "";
}

// The key id as derived by Kubernetes: SHA-256 of its DER, base64url-encoded.
std::string id_of(const EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key, &der);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int digest_size = 0;
  if (size > 0)
    EVP_Digest(der, static_cast<std::size_t>(size), digest.data(), &digest_size, EVP_sha256(),
               nullptr);
  OPENSSL_free(der);
  return base64url_encode({reinterpret_cast<const char*>(digest.data()), digest_size});
}

std::string number_parameter(const EVP_PKEY* key, const char* name, std::size_t size) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &number) != 1) return {};
  const Number owner(number);
  return bytes_of(number, size == 0 ? static_cast<std::size_t>(BN_num_bytes(number)) : size);
}

using Builder = std::unique_ptr<OSSL_PARAM_BLD, internal::Free<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, internal::Free<OSSL_PARAM_free>>;

Key key_of(const char* kind, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
  const internal::KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
  EVP_PKEY* key = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
    key = nullptr;
  ERR_clear_error();
  return Key(key);
}

Key elliptic_key(const std::string& x, const std::string& y) {
  if (x.size() != kCoordinate || y.size() != kCoordinate) return nullptr;
  const std::string point = "\x04" + x + y;  // uncompressed
  const Builder builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  return key_of("EC", builder.get());
}

Key rsa_key(const std::string& modulus, const std::string& exponent) {
  if (modulus.empty() || modulus.size() > kMostRsaBits / 8 || exponent.empty() ||
      exponent.size() > 8)
    return nullptr;
  const Builder builder(OSSL_PARAM_BLD_new());
  const Number n = number_of(modulus), e = number_of(exponent);
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
  return key_of("RSA", builder.get());
}

Result<std::string> text_member(const json::Value& jwk, const char* name) {
  return base64url_decode(jwk[name].as_string());
}

}  // namespace

struct VerifyKey::Impl {
  Key key;
};

std::string base64url_encode(std::string_view bytes) {
  std::string text = base64_encode(bytes);
  while (text.ends_with('=')) text.pop_back();
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

Result<std::string> base64url_decode(std::string_view text) {
  std::string standard(text);
  if (standard.find_first_of("+/=\r\n \t") != std::string::npos)
    return invalid("not base64url-encoded");
  std::replace(standard.begin(), standard.end(), '-', '+');
  std::replace(standard.begin(), standard.end(), '_', '/');
  standard.append((4 - standard.size() % 4) % 4, '=');
  std::string bytes;
  if (!base64_decode(standard, bytes) || base64url_encode(bytes) != text)
    return invalid("not base64url-encoded");
  return bytes;
}

Result<Jwt> parse_jwt(std::string_view text) {
  if (text.size() > kMostBytes) return no_token("it is too long");
  const std::size_t first = text.find('.');
  const std::size_t last = text.rfind('.');
  if (first == std::string_view::npos || last == first || text.find('.', first + 1) != last)
    return no_token("it does not have three parts");
  const auto header_text = base64url_decode(text.substr(0, first));
  const auto claims_text = base64url_decode(text.substr(first + 1, last - first - 1));
  auto signature = base64url_decode(text.substr(last + 1));
  if (!header_text || !claims_text || !signature) return no_token("a part is not base64");
  const auto header = json::parse(*header_text, kLimits);
  auto claims = json::parse(*claims_text, kLimits);
  if (!header || !header->is_object() || !claims || !claims->is_object())
    return no_token("a part is not a JSON object");
  if (header->contains("crit")) return no_token("it has critical headers");
  if (!(*header)["alg"].is_string()) return no_token("it has no \"alg\" header");
  return Jwt{.algorithm = std::string((*header)["alg"].as_string()),
             .key_id = std::string((*header)["kid"].as_string()),
             .claims = *std::move(claims),
             .signed_text = std::string(text.substr(0, last)),
             .signature = *std::move(signature)};
}

Result<VerifyKey> VerifyKey::from_pem(const std::string& pem) {
  Key key;
  if (auto secret = internal::read_pem_key(pem)) {
    key = *std::move(secret);
  } else if (auto certificate = internal::read_pem_certificate(pem)) {
    key.reset(X509_get_pubkey(certificate->get()));
  } else {
    key = internal::read_pem_public_key(pem);
  }
  if (!key) return invalid("not a PEM key");
  VerifyKey made;
  made.algorithm_ = algorithm_of(key.get());
  if (made.algorithm_.empty())
    return invalid("unsupported key: use a P-256 key, or an RSA key of {} to {} bits",
                   kLeastRsaBits, kMostRsaBits);
  made.id_ = id_of(key.get());
  made.impl_ = std::make_shared<const Impl>(Impl{std::move(key)});
  return made;
}

Result<VerifyKey> VerifyKey::from_jwk(const json::Value& jwk) {
  const std::string_view kind = jwk["kty"].as_string();
  if (jwk.contains("use") && jwk["use"].as_string() != "sig")
    return invalid("the key is not for signatures");
  Key key;
  if (kind == "EC" && jwk["crv"].as_string() == "P-256") {
    PORTICO_TRY(const std::string x, text_member(jwk, "x"), "x");
    PORTICO_TRY(const std::string y, text_member(jwk, "y"), "y");
    key = elliptic_key(x, y);
  } else if (kind == "RSA") {
    PORTICO_TRY(const std::string n, text_member(jwk, "n"), "n");
    PORTICO_TRY(const std::string e, text_member(jwk, "e"), "e");
    key = rsa_key(n, e);
  }
  VerifyKey made;
  made.algorithm_ = key ? algorithm_of(key.get()) : "";
  if (made.algorithm_.empty()) return invalid("unsupported key: use a P-256 or RSA key");
  if (jwk.contains("alg") && jwk["alg"].as_string() != made.algorithm_)
    return invalid("the key is for algorithm \"{}\"", jwk["alg"].as_string());
  made.id_ = jwk["kid"].as_string();
  made.impl_ = std::make_shared<const Impl>(Impl{std::move(key)});
  return made;
}

bool VerifyKey::verifies(const Jwt& token) const {
  if (token.algorithm != algorithm_) return false;
  std::string signature = token.signature;
  if (algorithm_ == "ES256") {
    if (signature.size() != 2 * kCoordinate) return false;
    signature = der_of(signature);
  }
  const internal::Digest digest(EVP_MD_CTX_new());
  const bool is_good =
      digest &&
      EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, impl_->key.get()) == 1 &&
      EVP_DigestVerify(digest.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                       signature.size(),
                       reinterpret_cast<const unsigned char*>(token.signed_text.data()),
                       token.signed_text.size()) == 1;
  ERR_clear_error();
  return is_good;
}

json::Value VerifyKey::jwk() const {
  std::vector<json::Member> members{{"alg", algorithm_}, {"kid", id_}, {"use", "sig"}};
  const EVP_PKEY* const key = impl_->key.get();
  const auto put = [&](const char* name, const char* parameter, std::size_t size) {
    members.push_back({name, base64url_encode(number_parameter(key, parameter, size))});
  };
  if (algorithm_ == "ES256") {
    members.push_back({"kty", "EC"});
    members.push_back({"crv", "P-256"});
    put("x", OSSL_PKEY_PARAM_EC_PUB_X, kCoordinate);
    put("y", OSSL_PKEY_PARAM_EC_PUB_Y, kCoordinate);
  } else {
    members.push_back({"kty", "RSA"});
    put("n", OSSL_PKEY_PARAM_RSA_N, 0);
    put("e", OSSL_PKEY_PARAM_RSA_E, 0);
  }
  return json::Value::object(std::move(members));
}

Result<std::vector<VerifyKey>> parse_jwk_set(std::string_view text) {
  PORTICO_TRY(const json::Value set, json::parse(text, {.bytes = 1u << 20, .depth = 32}));
  if (!set["keys"].is_array()) return invalid("not a JSON Web Key Set: \"keys\" is not a list");
  std::vector<VerifyKey> keys;
  for (const json::Value& one : set["keys"].items())
    if (auto key = VerifyKey::from_jwk(one)) keys.push_back(*std::move(key));
  return keys;
}

Result<SigningKey> SigningKey::from_pem(const std::string& pem) {
  PORTICO_TRY(Key key, internal::read_pem_key(pem));
  PORTICO_TRY(VerifyKey verify, VerifyKey::from_pem(pem));
  return SigningKey(std::shared_ptr<const void>(std::shared_ptr<EVP_PKEY>(std::move(key))),
                    std::move(verify));
}

Result<std::string> SigningKey::make_pem() {
  PORTICO_TRY(const Key key, internal::make_key());
  return internal::pem_of(key.get());
}

Result<std::string> SigningKey::sign(const json::Value& claims) const {
  const json::Value header =
      json::Value::object({{"alg", verify_.algorithm()}, {"kid", verify_.id()}, {"typ", "JWT"}});
  std::string text =
      base64url_encode(json::print(header)) + "." + base64url_encode(json::print(claims));
  auto* const key = static_cast<EVP_PKEY*>(const_cast<void*>(key_.get()));
  const internal::Digest digest(EVP_MD_CTX_new());
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  if (!digest || EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key) != 1 ||
      EVP_DigestSign(digest.get(), nullptr, &size, bytes, text.size()) != 1)
    return internal::openssl_error("cannot sign a token");
  std::string signature(size, '\0');
  if (EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                     text.size()) != 1)
    return internal::openssl_error("cannot sign a token");
  signature.resize(size);
  if (verify_.algorithm() == "ES256") signature = joined_of(signature);
  return text + "." + base64url_encode(signature);
}

Result<Done> check_times(const json::Value& claims, std::int64_t now, std::int64_t leeway) {
  const auto refused = [](std::string_view why) {
    return invalid("the token {}", why).because(Reason::kUnauthorized);
  };
  // Seconds, possibly with a fraction.
  const auto seconds = [&](const char* name) { return claims[name].as_double(); };
  if (!claims["exp"].is_number()) return refused("has no expiration time");
  if (!std::isfinite(seconds("exp")) ||
      seconds("exp") + static_cast<double>(leeway) <= static_cast<double>(now))
    return refused("has expired");
  if (claims.contains("nbf") &&
      (!claims["nbf"].is_number() ||
       seconds("nbf") - static_cast<double>(leeway) > static_cast<double>(now)))
    return refused("is not valid yet");
  return Done{};
}

bool is_for(const json::Value& claims, std::string_view audience) {
  const json::Value& aud = claims["aud"];
  if (aud.is_string()) return aud.as_string() == audience;
  return std::any_of(aud.items().begin(), aud.items().end(), [&](const json::Value& one) {
    return one.is_string() && one.as_string() == audience;
  });
}

}  // namespace portico::identity
