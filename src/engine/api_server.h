// The Kubernetes API of a system: its certificates, its kubeconfig and its listeners.
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
#include "base/result.h"
#include "base/tracer.h"
#include "drafts/drafts.h"
#include "engine/audit_file.h"
#include "engine/identities.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::engine {

/// Where the kubeconfig of a state folder's server is: `FOLDER/admin.kubeconfig`, of mode 0600.
std::string kubeconfig_path(const std::string& folder);

/// Serves until it is destroyed; then it waits at most two seconds for answers on their way.
class ApiServer {
 public:
  struct Options {
    std::string folder;  // of the state: keys and certificates are in `FOLDER/pki`
    /// Lets the folder's owner in: by its socket, and by admin.kubeconfig where there is an
    /// address.
    bool for_owner = true;
    /// HOST:PORT, HOST (port 6443) or PORT (of 127.0.0.1); port 0 takes a free one; "": only at the
    /// folder's socket.
    std::string listen;
    std::string version;  // of the program
    /// Files of a certificate and its key, read again when they change; "": the authority in
    /// `FOLDER/pki` issues one for the address and `names`, and issues it again in time.
    std::string tls_certificate = {}, tls_key = {};
    std::vector<std::string> names = {};  // DNS names and addresses beside those of `listen`
    std::string client_ca = {};       // file of authorities whose client certificates count, too
    std::string more_client_ca = {};  // the same as PEM: Authorities::clients
    std::optional<AuditFile::Options> audit = {};     // none: nothing is kept
    Identities::Options identities = {.folder = ""};  // the folder is the server's
    /// The numbers of /metrics; empty: there is no such path.
    std::function<std::string()> metrics = {};
  };
  /// What is served: as in apiserver::World and apiserver::Settings.
  struct Served {
    registry::Registry& registry;
    packages::PackageStore& packages;
    drafts::Drafts& drafts;
    const Clock& clock;
    Log& log;
    apiserver::Operations* operations = nullptr;  // may be null
    registry::Registry* own = nullptr;            // null: `registry`
    apiserver::Authorizer* authorizer = nullptr;  // null: the roles of `own`
    Tracer* tracer = nullptr;                     // may be null
    std::string only_group = {};                  // "": all
  };
  /// Makes what is missing in the folder and listens at its socket (remote_engine.h), where the
  /// folder's owner and root are let in; with an address there, too, with TLS, and writes the
  /// kubeconfig. kInvalid for an
  /// address that is none, kUnavailable for one that cannot be had. What is served outlives the
  /// server.
  static Result<std::unique_ptr<ApiServer>> start(const Options& options, const Served& served);
  virtual ~ApiServer() = default;

  /// By whom others say who they are, as PEM texts: what Options say first.
  struct Authorities {
    std::string clients;      // more_client_ca
    std::string front_proxy;  // identities.front_proxy_pem
    std::vector<std::string> front_proxy_names;
    bool operator==(const Authorities&) const = default;
  };
  /// For connections from now on. kInvalid where one of them cannot be read. Safe from any thread.
  virtual Result<Done> set_authorities(const Authorities& authorities) = 0;

  /// "https://127.0.0.1:6443"; "" without an address.
  virtual const std::string& url() const = 0;
};

}  // namespace portico::engine
