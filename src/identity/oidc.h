// Users of an OpenID Connect provider: verifies its tokens with the keys that it publishes.
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

/// Like kube-apiserver's --oidc-* options.
struct OidcOptions {
  std::string issuer;                  // "https://...", as in the tokens
  std::string client_id;               // required audience of tokens
  std::string username_claim = "sub";  // "email" is refused if email_verified is false
  std::string username_prefix = {};    // "": "<issuer>#", except for email; "-": none
  std::string groups_claim = {};       // "": no groups; the claim is a string or a list
  std::string groups_prefix = {};
  std::map<std::string, std::string> required_claims = {};
  std::string ca = {};  // PEM, for the connection to the issuer; "": the system's CAs
  std::chrono::seconds refresh = std::chrono::hours(1);           // keys are refreshed after this
  std::chrono::seconds at_most_every = std::chrono::seconds(10);  // if a key is unknown
};

/// Thread-safe. Keys are fetched with the first token, refreshed periodically, and when a token
/// names an unknown key. While the issuer is unreachable, the previous keys stay in use. One thread
/// fetches while the others wait.
class Oidc {
 public:
  /// kInvalid for invalid options. `log` may be null; `clock` and `log` must outlive this.
  static Result<std::unique_ptr<Oidc>> make(OidcOptions options, const Clock& clock, Log* log);
  virtual ~Oidc() = default;

  virtual bool is_issuer_of(const Jwt& token) const = 0;
  /// Whether the issuer signed the token; kUnavailable if the issuer cannot be reached.
  virtual Result<bool> has_signed(const Jwt& token) = 0;
  /// The user of a token that has_signed(). kInvalid with Reason::kUnauthorized.
  virtual Result<access::User> user_of(const json::Value& claims) const = 0;
};

}  // namespace portico::identity
