// The certificate of a server, or of a client of it, kept good while it runs.
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

/// Either files, as --tls-cert and --tls-key name them, or an authority that issues.
struct ServingOptions {
  std::string certificate_file = {}, key_file = {};
  std::optional<CertificateAuthority> authority = {};
  std::vector<std::string> names = {};  // DNS names and addresses, for the authority
  /// Not empty: the authority issues for this client of a server instead, with its groups.
  std::string user = {};
  std::vector<std::string> groups = {};
  std::chrono::seconds lifetime = std::chrono::hours(24 * 365);
};

/// Issues again when two thirds of the time are over; reads files again when they change, also
/// behind symbolic links that are swapped in their folder, as Kubernetes mounts Secrets. A thread
/// of its own waits for both. What cannot be used is logged, and the one before stays.
class ServingCertificate {
 public:
  /// Given each new pair, the first one too: http::Server::set_tls, say.
  using Use = std::function<Result<Done>(const KeyPair&)>;

  /// An error is that of the first pair. `log` may be null; it and `clock` outlive this.
  static Result<std::unique_ptr<ServingCertificate>> start(ServingOptions options,
                                                           const Clock& clock, Log* log, Use use);
  /// Waits for a `use` that is under way.
  virtual ~ServingCertificate() = default;

  /// Looks now, as it does by itself. Safe from any thread.
  virtual void look() = 0;
};

}  // namespace portico::identity
