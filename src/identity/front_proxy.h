// Users that a proxy in front of the server has authenticated: kube-apiserver, for an aggregated
// API.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/request.h"
#include "http/message.h"

namespace portico::identity {

/// Who may say in headers who a user is.
struct FrontProxy {
  /// The authorities of its certificate, hex of their DER: two while one is replaced by another.
  std::vector<std::string> ca_sha256s;
  std::vector<std::string> names = {};  // common names that its certificate may have; none: any
};

/// Whether a certificate is of an authority of the proxy's.
bool is_of(const FrontProxy& proxy, const http::ClientCertificate& certificate);

/// The user of X-Remote-User, -Group, -Uid and -Extra-KEY (percent-encoded), as kube-apiserver
/// sends them, where the connection's certificate is the proxy's; nothing where it is not, or names
/// no user. From anybody else the headers mean nothing.
std::optional<access::User> proxied_user(const FrontProxy& proxy, const http::Request& request);

}  // namespace portico::identity
