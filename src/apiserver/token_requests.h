// The subresource `token` of service accounts: creating it returns a token for the account.
#pragma once

#include "apiserver/call.h"
#include "apiserver/identities.h"
#include "base/clock.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Handles creates of TokenRequest; nothing is stored. Tokens bound to another object are not
/// issued: 400. All arguments must outlive it.
class TokenRequests : public ResourceHandler {
 public:
  TokenRequests(registry::Registry& registry, TokenIssuer& issuer, const Clock& clock)
      : registry_(registry), issuer_(issuer), clock_(clock) {}
  kubeapi::StatusOr<Outcome> serve(Call& call) override;

 private:
  registry::Registry& registry_;
  TokenIssuer& issuer_;
  const Clock& clock_;
};

}  // namespace portico::apiserver
