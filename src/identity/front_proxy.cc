#include "identity/front_proxy.h"

#include <algorithm>

#include "http/escape.h"

namespace portico::identity {

namespace {

constexpr std::string_view kExtra = "X-Remote-Extra-";
constexpr std::string_view kAuthenticated = "system:authenticated";

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_proxy(const FrontProxy& proxy, const http::Request& request) {
  if (request.peer == nullptr || !request.peer->certificate) return false;
  const http::ClientCertificate& certificate = *request.peer->certificate;
  return is_of(proxy, certificate) &&
         (proxy.names.empty() || has(proxy.names, certificate.common_name));
}

}  // namespace

bool is_of(const FrontProxy& proxy, const http::ClientCertificate& certificate) {
  return has(proxy.ca_sha256s, certificate.issuer_sha256);
}

std::optional<access::User> proxied_user(const FrontProxy& proxy, const http::Request& request) {
  if (!is_proxy(proxy, request)) return std::nullopt;
  const std::string_view name = request.headers.get("X-Remote-User");
  if (name.empty()) return std::nullopt;
  access::User user{.name = std::string(name), .groups = {}};
  for (const std::string_view group : request.headers.all("X-Remote-Group"))
    user.groups.emplace_back(group);
  if (!user.is_in(kAuthenticated) && user.name != "system:anonymous")
    user.groups.emplace_back(kAuthenticated);
  user.uid = request.headers.get("X-Remote-Uid");
  for (const http::HeaderField& field : request.headers) {
    if (field.name.size() <= kExtra.size() ||
        !http::same_name(std::string_view(field.name).substr(0, kExtra.size()), kExtra))
      continue;
    const std::string key = lower(std::string_view(field.name).substr(kExtra.size()));
    const auto decoded = http::percent_decode(key);
    user.extra[decoded ? *decoded : key].push_back(field.value);
  }
  return user;
}

}  // namespace portico::identity
