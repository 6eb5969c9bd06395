// Users authenticated by a front proxy: kube-apiserver, for an aggregated API.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access/request.h"
#include "http/message.h"

namespace portico::identity {

/// The proxy that is trusted to name users in headers.
struct FrontProxy {
  /// The CAs of its certificate, as hex SHA-256 of their DER: two during a CA rotation.
  std::vector<std::string> ca_sha256s;
  std::vector<std::string> names = {};  // allowed common names of its certificate; empty: any
};

/// Whether a certificate was issued by one of the proxy's CAs.
bool is_of(const FrontProxy& proxy, const http::ClientCertificate& certificate);

/// The user from X-Remote-User, -Group, -Uid and -Extra-KEY (percent-encoded), as kube-apiserver
/// sends them, if the connection's certificate is the proxy's. nullopt if it is not, or the headers
/// name no user. From any other client the headers are ignored.
std::optional<access::User> proxied_user(const FrontProxy& proxy, const http::Request& request);

}  // namespace portico::identity
