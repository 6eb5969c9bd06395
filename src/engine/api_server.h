// The Kubernetes API of a system: its certificates, kubeconfig and listeners.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/authorizer.h"
#include "apiserver/operations.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "base/tracer.h"
#include "drafts/drafts.h"
#include "engine/audit_file.h"
#include "engine/identities.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::engine {

/// The kubeconfig of a state folder's server: `FOLDER/admin.kubeconfig`, with mode 0600.
std::string kubeconfig_path(const std::string& folder);

/// Serves until it is destroyed; the destructor waits at most two seconds for pending responses.
class ApiServer {
 public:
  struct Options {
    std::string folder;  // the state folder: keys and certificates are in `FOLDER/pki`
    /// Grants the folder's owner access: through its socket and, with an address, admin.kubeconfig.
    bool for_owner = true;
    /// HOST:PORT, HOST (port 6443) or PORT (on 127.0.0.1); port 0 takes a free one; "": only the
    /// folder's socket.
    std::string listen;
    std::string version;  // of the program
    /// Files of a certificate and its key, reloaded when they change; "": the authority in
    /// `FOLDER/pki` issues a certificate for the address and `names`, and renews it in time.
    std::string tls_certificate = {}, tls_key = {};
    std::vector<std::string> names = {};  // DNS names and addresses in addition to `listen`
    std::string client_ca = {};           // file of additional authorities for client certificates
    std::string more_client_ca = {};      // the same as PEM: Authorities::clients
    std::optional<AuditFile::Options> audit = {};     // nullopt: no audit log
    Identities::Options identities = {.folder = ""};  // the folder is filled in by the server
    /// The text of /metrics; empty: there is no such path.
    std::function<std::string()> metrics = {};
  };
  /// What to serve, as in apiserver::World and apiserver::Settings.
  struct Served {
    registry::Registry& registry;
    packages::PackageStore& packages;
    drafts::Drafts& drafts;
    const Clock& clock;
    Log& log;
    apiserver::Operations* operations = nullptr;  // may be null
    registry::Registry* own = nullptr;            // null: `registry`
    apiserver::Authorizer* authorizer = nullptr;  // null: the roles of `own`
    Meter* meter = nullptr;                       // may be null
    Tracer* tracer = nullptr;                     // may be null
    std::string only_group = {};                  // "": all
  };
  /// Creates what is missing in the folder. With for_owner, listens on the folder's socket
  /// (remote_engine.h), which admits the folder's owner and root. With an address, listens there
  /// with TLS, too, and with for_owner writes the kubeconfig. kInvalid for a malformed address,
  /// kUnavailable for one that cannot be bound. `served` must outlive the server.
  static Result<std::unique_ptr<ApiServer>> start(const Options& options, const Served& served);
  virtual ~ApiServer() = default;

  /// Authorities that vouch for clients, as PEM texts; initially those of Options.
  struct Authorities {
    std::string clients;      // more_client_ca
    std::string front_proxy;  // identities.front_proxy_pem
    std::vector<std::string> front_proxy_names;
    bool operator==(const Authorities&) const = default;
  };
  /// For new connections. kInvalid if one of them cannot be parsed. Thread-safe.
  virtual Result<Done> set_authorities(const Authorities& authorities) = 0;

  /// "https://127.0.0.1:6443"; "" without an address.
  virtual const std::string& url() const = 0;
};

}  // namespace portico::engine
