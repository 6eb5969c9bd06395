// Users of an OpenID Connect provider: its tokens, and the keys that it publishes.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "access/request.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "identity/jwt.h"

namespace portico::identity {

/// As kube-apiserver's --oidc-* options.
struct OidcOptions {
  std::string issuer;                  // "https://..."; as tokens have it
  std::string client_id;               // tokens must be for it
  std::string username_claim = "sub";  // "email" must not be told to be unverified
  std::string username_prefix = {};    // "": "<issuer>#" but for email; "-": none
  std::string groups_claim = {};       // "": no groups; one text or a list
  std::string groups_prefix = {};
  std::map<std::string, std::string> required_claims = {};
  std::string ca = {};  // PEM, for the connection to the issuer; "": those of the system
  std::chrono::seconds refresh = std::chrono::hours(1);           // keys are read again
  std::chrono::seconds at_most_every = std::chrono::seconds(10);  // for keys that are not known
};

/// Safe from any thread. Keys are read when the first token comes, again after a while, and when a
/// token names a key that is not known; keys that were read stay while the issuer cannot be
/// reached. One thread reads, the others wait for it.
class Oidc {
 public:
  /// kInvalid for options that cannot be. `log` may be null; both outlive this.
  static Result<std::unique_ptr<Oidc>> make(OidcOptions options, const Clock& clock, Log* log);
  virtual ~Oidc() = default;

  virtual bool is_issuer_of(const Jwt& token) const = 0;
  /// Whether it is signed by the issuer; kUnavailable where the issuer cannot be asked.
  virtual Result<bool> has_signed(const Jwt& token) = 0;
  /// The user of a token that has_signed(). kInvalid with Reason::kUnauthorized.
  virtual Result<access::User> user_of(const json::Value& claims) const = 0;
};

}  // namespace portico::identity
