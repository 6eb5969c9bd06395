// The port to somebody else's answer to who may do what: a cluster's API server.
#pragma once

#include "access/request.h"
#include "base/result.h"

namespace portico::apiserver {

/// Takes the place of the roles and bindings of a registry. Safe from any thread.
class Authorizer {
 public:
  virtual ~Authorizer() = default;
  /// kUnavailable where it cannot be told now.
  virtual Result<access::Verdict> verdict(const access::User& user,
                                          const access::Request& request) = 0;
};

}  // namespace portico::apiserver
