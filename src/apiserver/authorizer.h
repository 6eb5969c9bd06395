// The port to an external authorizer, such as a cluster's API server.
#pragma once

#include "access/request.h"
#include "base/result.h"

namespace portico::apiserver {

/// Replaces the roles and bindings of a registry. Thread-safe.
class Authorizer {
 public:
  virtual ~Authorizer() = default;
  /// kUnavailable if no verdict can be obtained now.
  virtual Result<access::Verdict> verdict(const access::User& user,
                                          const access::Request& request) = 0;
};

}  // namespace portico::apiserver
