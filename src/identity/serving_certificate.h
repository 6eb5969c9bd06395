// Keeps the certificate of a running server, or of its client, valid.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "identity/certificates.h"

namespace portico::identity {

/// Certificate and key from files, as in --tls-cert and --tls-key, or issued by an authority.
struct ServingOptions {
  std::string certificate_file = {}, key_file = {};
  std::optional<CertificateAuthority> authority = {};
  std::vector<std::string> names = {};  // DNS names and addresses, if the authority issues
  /// If not empty, the authority issues a client certificate for this user and these groups
  /// instead.
  std::string user = {};
  std::vector<std::string> groups = {};
  std::chrono::seconds lifetime = std::chrono::hours(24 * 365);
};

/// Reissues after two thirds of the lifetime; rereads files when they change, including behind
/// symbolic links that are swapped, as in Kubernetes Secret mounts. A thread waits for both. An
/// unusable certificate is logged, and the previous one stays in use.
class ServingCertificate {
 public:
  /// Receives each new pair, including the first: for example http::Server::set_tls.
  using Use = std::function<Result<Done>(const KeyPair&)>;

  /// Fails if the first pair is unusable. `log` may be null; `log` and `clock` must outlive this.
  static Result<std::unique_ptr<ServingCertificate>> start(ServingOptions options,
                                                           const Clock& clock, Log* log, Use use);
  /// Waits for a running `use`.
  virtual ~ServingCertificate() = default;

  /// Checks now instead of waiting for the thread. Thread-safe.
  virtual void look() = 0;
};

}  // namespace portico::identity
