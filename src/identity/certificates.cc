#include "identity/certificates.h"

#include <arpa/inet.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>
#include <utility>

#include "base/secret_file.h"
#include "identity/internal/openssl.h"

namespace portico::identity {
namespace {

using internal::Certificate;
using internal::Key;
using internal::openssl_error;
using std::chrono::seconds;

constexpr auto kSlowClock = std::chrono::minutes(5);
constexpr auto kAuthorityLifetime = std::chrono::hours(24 * 365 * 10);
constexpr std::size_t kMostBytes = 1u << 20;

seconds unix_time(TimePoint time) { return std::chrono::floor<seconds>(time.time_since_epoch()); }

TimePoint time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return TimePoint(seconds(timegm(&parts)));
}

bool add_entry(X509_NAME* name, const char* field, const std::string& value) {
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1;
}

bool add_extension(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  const bool added = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

// The 4 or 16 bytes of an IP address; empty for a DNS name.
std::string address_bytes(const std::string& name) {
  std::array<char, 16> bytes{};
  if (inet_pton(AF_INET, name.c_str(), bytes.data()) == 1) return {bytes.data(), 4};
  if (inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1) return {bytes.data(), 16};
  return {};
}

// Builds structures instead of configuration text, in which a name could inject other fields.
Result<Done> add_names(X509* certificate, const std::vector<std::string>& names) {
  const std::unique_ptr<GENERAL_NAMES, internal::Free<GENERAL_NAMES_free>> list(
      sk_GENERAL_NAME_new_null());
  for (const std::string& name : names) {
    const std::string address = address_bytes(name);
    const bool is_dns =
        !name.empty() && name.size() < 254 &&
        std::all_of(name.begin(), name.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '*' || c == '_';
        });
    if (address.empty() && !is_dns)
      return invalid("\"{}\" is neither a DNS name nor an IP address", name);
    const std::string& text = address.empty() ? name : address;
    ASN1_STRING* const value = address.empty() ? ASN1_IA5STRING_new() : ASN1_OCTET_STRING_new();
    ASN1_STRING_set(value, text.data(), static_cast<int>(text.size()));
    GENERAL_NAME* const one = GENERAL_NAME_new();
    GENERAL_NAME_set0_value(one, address.empty() ? GEN_DNS : GEN_IPADD, value);
    sk_GENERAL_NAME_push(list.get(), one);
  }
  if (X509_add1_ext_i2d(certificate, NID_subject_alt_name, list.get(), 0, 0) != 1)
    return openssl_error("cannot write the subject alternative names of a certificate");
  return Done{};
}

// How the kinds of certificates differ.
struct Form {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;
  const char* usage;
  const char* extended_usage;  // nullptr for an authority
};

Result<Certificate> unsigned_certificate(const Form& form, EVP_PKEY* key, TimePoint from,
                                         TimePoint to) {
  Certificate made(X509_new());
  std::array<unsigned char, 16> serial{};
  if (!made || RAND_bytes(serial.data(), serial.size()) != 1)
    return openssl_error("cannot create a certificate");
  serial[0] = static_cast<unsigned char>((serial[0] & 0x3f) | 0x40);  // positive and of full length
  const internal::Number number(BN_bin2bn(serial.data(), serial.size(), nullptr));
  X509_set_version(made.get(), 2);
  BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(made.get()));
  ASN1_TIME_set(X509_getm_notBefore(made.get()), unix_time(from).count());
  ASN1_TIME_set(X509_getm_notAfter(made.get()), unix_time(to).count());
  X509_NAME* const subject = X509_get_subject_name(made.get());
  for (const std::string& organization : form.organizations)
    if (!add_entry(subject, "O", organization))
      return invalid("invalid group \"{}\" for a certificate", organization);
  if (!add_entry(subject, "CN", form.common_name))
    return invalid("invalid common name \"{}\" for a certificate", form.common_name);
  X509_set_pubkey(made.get(), key);
  return made;
}

Result<KeyPair> make_certificate(const Form& form, const KeyPair* authority, TimePoint now,
                                 seconds lifetime) {
  PORTICO_TRY(const Key key, internal::make_key());
  const bool is_authority = form.extended_usage == nullptr;
  Certificate issuer;
  Key issuer_key;
  TimePoint to = now + lifetime;
  if (authority != nullptr) {
    PORTICO_TRY(issuer, internal::read_pem_certificate(authority->certificate));
    PORTICO_TRY(issuer_key, internal::read_pem_key(authority->key));
    to = std::min(to, time_of(X509_get0_notAfter(issuer.get())));
    if (to <= now) return invalid("the certificate authority has expired: create a new one");
  }
  PORTICO_TRY(const Certificate made, unsigned_certificate(form, key.get(), now - kSlowClock, to));
  X509* const signer = issuer ? issuer.get() : made.get();
  X509_set_issuer_name(made.get(), X509_get_subject_name(signer));
  if (!form.names.empty()) PORTICO_DO(add_names(made.get(), form.names));
  const bool extended =
      add_extension(made.get(), signer, NID_basic_constraints,
                    is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
      add_extension(made.get(), signer, NID_key_usage, form.usage) &&
      (is_authority || add_extension(made.get(), signer, NID_ext_key_usage, form.extended_usage)) &&
      add_extension(made.get(), signer, NID_subject_key_identifier, "hash") &&
      add_extension(made.get(), signer, NID_authority_key_identifier, "keyid");
  if (!extended ||
      X509_sign(made.get(), issuer_key ? issuer_key.get() : key.get(), EVP_sha256()) == 0)
    return openssl_error("cannot create a certificate");
  return KeyPair{internal::pem_of(made.get()), internal::pem_of(key.get())};
}

std::vector<std::string> entries(const X509_NAME* name, int nid) {
  std::vector<std::string> values;
  for (int at = -1; (at = X509_NAME_get_index_by_NID(name, nid, at)) >= 0;) {
    unsigned char* text = nullptr;
    const int size =
        ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
    if (size >= 0) values.emplace_back(reinterpret_cast<const char*>(text), size);
    OPENSSL_free(text);
  }
  return values;
}

std::vector<std::string> alternative_names(const X509* certificate) {
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, internal::Free<GENERAL_NAMES_free>> list(
      static_cast<GENERAL_NAMES*>(
          X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(list.get()); ++i) {
    int kind = 0;
    const auto* const value = static_cast<const ASN1_STRING*>(
        GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(list.get(), i), &kind));
    const unsigned char* const bytes = ASN1_STRING_get0_data(value);
    const int size = ASN1_STRING_length(value);
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (kind == GEN_DNS) {
      names.emplace_back(reinterpret_cast<const char*>(bytes), size);
    } else if (kind == GEN_IPADD && (size == 4 || size == 16)) {
      inet_ntop(size == 4 ? AF_INET : AF_INET6, bytes, text.data(), text.size());
      names.emplace_back(text.data());
    }
  }
  return names;
}

Result<std::string> digest(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  if (X509_digest(certificate, EVP_sha256(), bytes.data(), &size) != 1)
    return invalid("cannot compute the fingerprint of the certificate");
  std::string out;
  for (unsigned int i = 0; i < size; ++i) out += fmt::format("{:02x}", bytes[i]);
  return out;
}

}  // namespace

Result<CertificateFacts> read_certificate(const std::string& pem) {
  PORTICO_TRY(const Certificate certificate, internal::read_pem_certificate(pem));
  const X509_NAME* const subject = X509_get_subject_name(certificate.get());
  CertificateFacts facts;
  if (auto names = entries(subject, NID_commonName); !names.empty())
    facts.common_name = std::move(names.back());
  facts.organizations = entries(subject, NID_organizationName);
  facts.names = alternative_names(certificate.get());
  facts.not_before = time_of(X509_get0_notBefore(certificate.get()));
  facts.not_after = time_of(X509_get0_notAfter(certificate.get()));
  facts.is_authority = X509_check_ca(certificate.get()) == 1;
  PORTICO_TRY(facts.sha256, digest(certificate.get()));
  return facts;
}

Result<std::vector<CertificateFacts>> read_certificates(const std::string& pem) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
  std::vector<CertificateFacts> out;
  for (std::size_t at = pem.find(kBegin); at != std::string::npos;) {
    const std::size_t next = pem.find(kBegin, at + kBegin.size());
    PORTICO_TRY(CertificateFacts one, read_certificate(pem.substr(at, next - at)),
                fmt::format("certificate {}", out.size() + 1));
    out.push_back(std::move(one));
    at = next;
  }
  if (out.empty()) return invalid("no PEM certificate found");
  return out;
}

TimePoint renewal_of(const CertificateFacts& facts) {
  return facts.not_before + (facts.not_after - facts.not_before) * 2 / 3;
}

Result<CertificateAuthority> CertificateAuthority::make(const std::string& common_name,
                                                        TimePoint now) {
  PORTICO_TRY(KeyPair pair,
              make_certificate({.common_name = common_name,
                                .organizations = {},
                                .names = {},
                                .usage = "critical,keyCertSign,cRLSign,digitalSignature",
                                .extended_usage = nullptr},
                               nullptr, now, kAuthorityLifetime));
  return CertificateAuthority(std::move(pair));
}

Result<CertificateAuthority> CertificateAuthority::read(const KeyPair& pair) {
  PORTICO_TRY(const Certificate certificate, internal::read_pem_certificate(pair.certificate));
  PORTICO_TRY(const Key key, internal::read_pem_key(pair.key));
  if (X509_check_private_key(certificate.get(), key.get()) != 1)
    return invalid("the private key does not match the certificate");
  if (X509_check_ca(certificate.get()) != 1)
    return invalid("the certificate is not a CA certificate");
  return CertificateAuthority(pair);
}

Result<CertificateAuthority> CertificateAuthority::open(const std::string& folder,
                                                        const std::string& common_name,
                                                        TimePoint now) {
  // Both are in one file, so that after a crash there is a complete authority or none.
  const std::string secret = folder + "/ca.key";
  auto both = read_small_file(secret, kMostBytes, true);
  if (both) {
    PORTICO_TRY(CertificateAuthority authority, read({*both, *both}), secret);
    PORTICO_TRY(const Certificate certificate, internal::read_pem_certificate(*both), secret);
    authority.pair_.certificate = internal::pem_of(certificate.get());
    return authority;
  }
  if (both.error().code != Code::kNotFound) return std::move(both).error();
  PORTICO_TRY(CertificateAuthority authority, make(common_name, now));
  PORTICO_DO(write_secret_file(secret, authority.pair_.key + authority.pair_.certificate));
  return authority;
}

Result<KeyPair> CertificateAuthority::issue_server(const std::vector<std::string>& names,
                                                   TimePoint now, seconds lifetime) const {
  if (names.empty()) return invalid("a server certificate requires a name");
  return make_certificate({.common_name = "portico",
                           .organizations = {},
                           .names = names,
                           .usage = "critical,digitalSignature",
                           .extended_usage = "serverAuth"},
                          &pair_, now, lifetime);
}

Result<KeyPair> CertificateAuthority::issue_client(const std::string& user,
                                                   const std::vector<std::string>& groups,
                                                   TimePoint now, seconds lifetime) const {
  return make_certificate({.common_name = user,
                           .organizations = groups,
                           .names = {},
                           .usage = "critical,digitalSignature",
                           .extended_usage = "clientAuth"},
                          &pair_, now, lifetime);
}

}  // namespace portico::identity
