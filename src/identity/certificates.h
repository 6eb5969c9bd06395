// A small certificate authority, and the certificates that it issues.
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

/// What a certificate says; of a PEM text with several, the first one.
struct CertificateFacts {
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> names;  // of its subjectAltName: DNS names and addresses
  TimePoint not_before, not_after;
  bool is_authority = false;
  std::string sha256;  // of its DER, 64 hex digits, as http::ClientCertificate has it
};
Result<CertificateFacts> read_certificate(const std::string& pem);
/// Of each certificate of a PEM text, in its order; what stands between them is left out. kInvalid
/// where there is none.
Result<std::vector<CertificateFacts>> read_certificates(const std::string& pem);

/// When a certificate is to be replaced: after two thirds of its time.
TimePoint renewal_of(const CertificateFacts& facts);

/// ECDSA on P-256. A value; its key is copied with it.
class CertificateAuthority {
 public:
  /// A new one, which ten years later ends.
  static Result<CertificateAuthority> make(const std::string& common_name, TimePoint now);
  /// kInvalid where that is no authority, or not its key.
  static Result<CertificateAuthority> read(const KeyPair& pair);
  /// That of `folder`: the file ca.key, of mode 0600, has key and certificate. Made where there is
  /// none, and written so that a crash leaves all or nothing. kInvalid where others may read it.
  static Result<CertificateAuthority> open(const std::string& folder,
                                           const std::string& common_name, TimePoint now);

  /// PEM.
  const std::string& certificate() const { return pair_.certificate; }

  /// For a server that is reached by these DNS names ("*.example.com" too) and addresses. The time
  /// of a certificate begins five minutes before `now`, for clocks that are slow, and ends with
  /// that of the authority at the latest.
  Result<KeyPair> issue_server(const std::vector<std::string>& names, TimePoint now,
                               std::chrono::seconds lifetime) const;
  /// For a user and its groups, as Kubernetes reads certificates.
  Result<KeyPair> issue_client(const std::string& user, const std::vector<std::string>& groups,
                               TimePoint now, std::chrono::seconds lifetime) const;

 private:
  explicit CertificateAuthority(KeyPair pair) : pair_(std::move(pair)) {}
  KeyPair pair_;
};

}  // namespace portico::identity
