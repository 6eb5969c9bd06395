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
  std::string ca_sha256;                // the authority of its certificate: hex of its DER
  std::vector<std::string> names = {};  // common names that its certificate may have; none: any
};

/// The user of X-Remote-User, -Group, -Uid and -Extra-KEY (percent-encoded), as kube-apiserver
/// sends them, where the connection's certificate is the proxy's; nothing where it is not, or names
/// no user. From anybody else the headers mean nothing.
std::optional<access::User> proxied_user(const FrontProxy& proxy, const http::Request& request);

}  // namespace portico::identity
