// From a kubeconfig, or from inside a cluster, to the options of a client.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "http/client.h"
#include "kubeconfig/config.h"

namespace portico::kubeconfig {

/// The files in order, as $KUBECONFIG names them; those that are not there are skipped.
/// kUnavailable where a file cannot be read, kInvalid with its path as place.
Result<Config> load(const std::vector<std::string>& files);

struct Target {
  http::ClientOptions client;
  std::string ns;  // "default" where the context names none
};

/// Where a context leads: the files that it names are read, and its exec plug-in is run where the
/// user has no other credentials. A token of a file or a plug-in is asked for again when it has
/// expired or is refused, and files of certificates are read again where a call has no answer.
/// `clock` outlives what is made of the options. kInvalid for what is wrong in the kubeconfig,
/// kUnavailable for files and programs that fail.
Result<Target> connect(const Chosen& chosen, const Clock& clock);

/// For a process in a pod: `host` and `port` as $KUBERNETES_SERVICE_HOST and _PORT, `folder` that
/// of the service account (/var/run/secrets/kubernetes.io/serviceaccount).
Result<Target> connect_in_cluster(const std::string& host, const std::string& port,
                                  const std::string& folder);

/// Writes `config`, which has secrets, whole or not at all and with mode 0600.
Result<Done> write_config(const std::string& path, const Config& config);

}  // namespace portico::kubeconfig
