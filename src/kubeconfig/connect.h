// Makes client options from a kubeconfig or from the in-cluster environment.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "http/client.h"
#include "kubeconfig/config.h"

namespace portico::kubeconfig {

/// Loads the files in order, as listed in $KUBECONFIG; skips missing files. Returns kUnavailable if
/// a file cannot be read, and kInvalid with its path as the place.
Result<Config> load(const std::vector<std::string>& files);

struct Target {
  http::ClientOptions client;
  std::string ns;  // "default" if the context names none
};

/// Resolves a context: reads the files that it names, and runs its exec plug-in if the user has no
/// other credentials. A token from a file or a plug-in is renewed when it has expired or is
/// refused; certificate files are read again after a call that gets no response or 401. `clock`
/// must outlive everything that uses the options. Returns kInvalid for errors in the kubeconfig,
/// kUnavailable for files and programs that fail.
Result<Target> connect(const Chosen& chosen, const Clock& clock);

/// For a process in a pod: `host` and `port` come from $KUBERNETES_SERVICE_HOST and _PORT, `folder`
/// is that of the service account (/var/run/secrets/kubernetes.io/serviceaccount).
Result<Target> connect_in_cluster(const std::string& host, const std::string& port,
                                  const std::string& folder);

/// Writes `config`, which contains secrets, atomically and with mode 0600.
Result<Done> write_config(const std::string& path, const Config& config);

}  // namespace portico::kubeconfig
