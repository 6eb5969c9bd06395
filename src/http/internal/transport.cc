#include "http/internal/transport.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace portico::http::internal {
namespace {

using Then = Transport::Moved::Then;

constexpr std::size_t kRecordBytes = 16u << 10;  // maximum size of a TLS record
constexpr std::size_t kPieces = 64;

Transport::Moved after_errno(Then would_block) {
  return {errno == EAGAIN || errno == EINTR ? would_block : Then::kBroken, 0};
}

}  // namespace

Transport::Transport(Fd socket, std::shared_ptr<const TlsContext> tls)
    : socket_(std::move(socket)), tls_(std::move(tls)) {
  if (tls_) ssl_ = tls_->accept(socket_.get());
}

Transport::Moved Transport::after(int result) {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_NONE:
      return {Then::kOk, static_cast<std::size_t>(result)};
    case SSL_ERROR_WANT_READ:
      return {Then::kWantRead, 0};
    case SSL_ERROR_WANT_WRITE:
      return {Then::kWantWrite, 0};
    case SSL_ERROR_ZERO_RETURN:
      return {Then::kEnd, 0};
    default:
      ERR_clear_error();
      return {Then::kBroken, 0};
  }
}

Transport::Moved Transport::handshake() {
  ERR_clear_error();
  const Moved moved = after(SSL_do_handshake(ssl_.get()));
  return {moved.then, 0};
}

std::optional<ClientCertificate> Transport::take_certificate() {
  return ssl_ ? tls_->take_certificate(ssl_.get()) : std::nullopt;
}

Transport::Moved Transport::read(char* bytes, std::size_t size) {
  if (ssl_) {
    ERR_clear_error();
    return after(SSL_read(ssl_.get(), bytes, static_cast<int>(size)));
  }
  const auto got = ::recv(socket_.get(), bytes, size, 0);
  if (got < 0) return after_errno(Then::kWantRead);
  if (got == 0) return {Then::kEnd, 0};
  return {Then::kOk, static_cast<std::size_t>(got)};
}

Transport::Moved Transport::write(std::span<const std::string_view> pieces) {
  if (!ssl_) {
    std::array<iovec, kPieces> parts;
    const std::size_t count = std::min(pieces.size(), kPieces);
    for (std::size_t i = 0; i < count; ++i)
      parts[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const auto sent = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (sent < 0) return after_errno(Then::kWantWrite);
    return {Then::kOk, static_cast<std::size_t>(sent)};
  }
  // Combine small pieces into one record: each record costs a system call and some forty bytes.
  std::array<char, kRecordBytes> record;
  std::string_view bytes = pieces.front();
  if (bytes.size() < kRecordBytes && pieces.size() > 1) {
    std::size_t size = 0;
    for (const std::string_view piece : pieces) {
      const std::size_t part = std::min(piece.size(), kRecordBytes - size);
      std::memcpy(record.data() + size, piece.data(), part);
      size += part;
      if (size == kRecordBytes) break;
    }
    bytes = {record.data(), size};
  }
  ERR_clear_error();
  return after(SSL_write(ssl_.get(), bytes.data(),
                         static_cast<int>(std::min(bytes.size(), std::size_t{1} << 30))));
}

bool Transport::has_more() const { return ssl_ && SSL_has_pending(ssl_.get()) == 1; }

void Transport::finish() {
  if (ssl_ && SSL_is_init_finished(ssl_.get()) != 0) {
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
  }
  ::shutdown(socket_.get(), SHUT_WR);
}

Transport::Moved Transport::discard() {
  std::array<char, kRecordBytes> bytes;
  const auto got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
  if (got < 0) return after_errno(Then::kWantRead);
  if (got == 0) return {Then::kEnd, 0};
  return {Then::kOk, static_cast<std::size_t>(got)};
}

void Transport::close() {
  ssl_.reset();
  tls_.reset();
  socket_.reset();
}

}  // namespace portico::http::internal
