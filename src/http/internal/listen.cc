#include "http/internal/listen.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace portico::http::internal {
namespace {

constexpr int kBacklog = 4096;

Error cannot_listen(const std::string& where, int number) {
  return unavailable("cannot listen on {}: {}", where,
                     std::error_code(number, std::generic_category()).message());
}

struct AddressesDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, AddressesDeleter>;

Result<Listening> listen_tcp(const Listener& listener) {
  const std::string where =
      fmt::format("{}:{}", listener.host.empty() ? "*" : listener.host, listener.port);
  addrinfo hints{};
  hints.ai_family = listener.host.empty() ? AF_INET6 : AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(listener.host.empty() ? nullptr : listener.host.c_str(),
                                 std::to_string(listener.port).c_str(), &hints, &found);
  const Addresses addresses(found);
  if (failed != 0)
    return invalid("cannot listen on {}: not an address of this host: {}", where,
                   gai_strerror(failed));
  Fd socket(::socket(addresses->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) {
    // The machine has no IPv6.
    if (listener.host.empty())
      return listen_tcp({.host = "0.0.0.0", .port = listener.port, .tls = listener.tls});
    return cannot_listen(where, errno);
  }
  const int on = 1, off = 0;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (listener.host.empty())
    ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (::bind(socket.get(), addresses->ai_addr, addresses->ai_addrlen) != 0 ||
      ::listen(socket.get(), kBacklog) != 0)
    return cannot_listen(where, errno);
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound), &size);
  const in_port_t port = bound.ss_family == AF_INET6
                             ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                             : reinterpret_cast<sockaddr_in*>(&bound)->sin_port;
  return Listening{.socket = std::move(socket), .port = ntohs(port), .tls = listener.tls};
}

// A socket without a listener was left by a process that was killed.
bool is_left_over(const sockaddr_un& address) {
  const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
         errno == ECONNREFUSED;
}

Result<Listening> listen_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // If the path is too long for a socket address, go through its folder.
  const std::filesystem::path file(path);
  const std::filesystem::path parent = file.has_parent_path() ? file.parent_path() : ".";
  const Fd folder(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return cannot_listen(path, errno);
  const std::string bound =
      path.size() < sizeof address.sun_path
          ? path
          : fmt::format("/proc/self/fd/{}/{}", folder.get(), file.filename().string());
  if (bound.size() >= sizeof address.sun_path)
    return invalid("cannot listen on {}: the socket path is too long", path);
  std::memcpy(address.sun_path, bound.data(), bound.size());
  struct stat there {};
  if (::lstat(bound.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode))
      return unavailable("cannot listen on {}: the file exists and is not a socket", path);
    if (!is_left_over(address)) return cannot_listen(path, EADDRINUSE);
    ::unlink(bound.c_str());
  }
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  // The file must have this mode from the moment it exists.
  if (!socket || ::fchmod(socket.get(), 0600) != 0 ||
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(bound.c_str(), 0600) != 0 || ::listen(socket.get(), kBacklog) != 0)
    return cannot_listen(path, errno);
  return Listening{.socket = std::move(socket), .unix_path = path};
}

std::string address_text(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (inet_ntop(family, address, text.data(), text.size()) == nullptr) return "unknown";
  // An IPv4 client of a dual-stack socket.
  constexpr std::string_view kMapped = "::ffff:";
  std::string_view shown = text.data();
  if (shown.starts_with(kMapped) && shown.find('.') != std::string_view::npos)
    shown.remove_prefix(kMapped.size());
  return std::string(shown);
}

}  // namespace

Result<Listening> listen_at(const Listener& listener) {
  return listener.unix_path.empty() ? listen_tcp(listener) : listen_unix(listener.unix_path);
}

Peer peer_of(int socket, bool tls) {
  Peer peer{.address = "unix", .tls = tls};
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&from), &size) != 0) return peer;
  if (from.ss_family == AF_INET) {
    const auto* const v4 = reinterpret_cast<const sockaddr_in*>(&from);
    peer.address = address_text(AF_INET, &v4->sin_addr);
    peer.port = ntohs(v4->sin_port);
  } else if (from.ss_family == AF_INET6) {
    const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(&from);
    peer.address = address_text(AF_INET6, &v6->sin6_addr);
    peer.port = ntohs(v6->sin6_port);
  } else {
    ucred credentials{};
    socklen_t length = sizeof credentials;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0)
      peer.unix_peer = {.uid = credentials.uid, .gid = credentials.gid, .pid = credentials.pid};
  }
  if (from.ss_family != AF_UNIX) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  return peer;
}

}  // namespace portico::http::internal
