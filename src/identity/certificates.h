// A small certificate authority, and parsing of certificates.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace portico::identity {

/// PEM texts: a certificate and its key.
struct KeyPair {
  std::string certificate, key;
};

/// The content of a certificate; of the first one if the PEM text has several.
struct CertificateFacts {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;  // from subjectAltName: DNS names and addresses
  TimePoint not_before, not_after;
  bool is_authority = false;
  std::string sha256;  // of its DER, 64 hex digits, as in http::ClientCertificate
};
Result<CertificateFacts> read_certificate(const std::string& pem);
/// All certificates of a PEM text, in order; other text is ignored. kInvalid if there are none.
Result<std::vector<CertificateFacts>> read_certificates(const std::string& pem);

/// When to replace a certificate: after two thirds of its lifetime.
TimePoint renewal_of(const CertificateFacts& facts);

/// ECDSA on P-256. A value type; copies include the key.
class CertificateAuthority {
 public:
  /// Creates a new authority, valid for ten years.
  static Result<CertificateAuthority> make(const std::string& common_name, TimePoint now);
  /// kInvalid if the certificate is not an authority's, or the key does not match.
  static Result<CertificateAuthority> read(const KeyPair& pair);
  /// Opens the authority in `folder`: ca.key, of mode 0600, contains key and certificate. Created
  /// if missing, atomically even if the process crashes. kInvalid if other users can read the file.
  static Result<CertificateAuthority> open(const std::string& folder,
                                           const std::string& common_name, TimePoint now);

  /// PEM.
  const std::string& certificate() const { return pair_.certificate; }

  /// Issues for a server with these DNS names (including "*.example.com") and addresses. A
  /// certificate is valid from five minutes before `now`, for slow clocks, and never beyond the end
  /// of the authority.
  Result<KeyPair> issue_server(const std::vector<std::string>& names, TimePoint now,
                               std::chrono::seconds lifetime) const;
  /// Issues for a user and its groups, in Kubernetes' convention.
  Result<KeyPair> issue_client(const std::string& user, const std::vector<std::string>& groups,
                               TimePoint now, std::chrono::seconds lifetime) const;

 private:
  explicit CertificateAuthority(KeyPair pair) : pair_(std::move(pair)) {}
  KeyPair pair_;
};

}  // namespace portico::identity
