// Credentials that a program prints (client.authentication.k8s.io).
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

/// What such a program has printed, for the version that it was asked for. kInvalid; no error shows
/// what it printed.
Result<ExecCredential> parse_exec_credential(std::string_view output,
                                             const std::string& api_version);

/// Runs it with this process's environment and its own, without a terminal. `cluster` is told to it
/// where it asks for that. kUnavailable where it cannot be run or fails.
Result<ExecCredential> run_exec(const Exec& exec, const Cluster& cluster, std::string_view ca);

}  // namespace portico::kubeconfig
