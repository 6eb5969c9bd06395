// Runs credential plug-ins (client.authentication.k8s.io).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "kubeconfig/config.h"

namespace portico::kubeconfig {

struct ExecCredential {
  std::string token, certificate, key;  // PEM
  std::optional<TimePoint> expires;
};

/// Parses a plug-in's output for the requested version. Returns kInvalid; no error shows the
/// output.
Result<ExecCredential> parse_exec_credential(std::string_view output,
                                             const std::string& api_version);

/// Runs the plug-in without a terminal, with this process's environment and its own variables.
/// Passes `cluster` to it if Exec::provide_cluster_info is set. kUnavailable if it cannot be run or
/// fails.
Result<ExecCredential> run_exec(const Exec& exec, const Cluster& cluster, std::string_view ca);

}  // namespace portico::kubeconfig
