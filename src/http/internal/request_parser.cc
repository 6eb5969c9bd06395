#include "http/internal/request_parser.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

namespace portico::http::internal {
namespace {

namespace beast = boost::beast;

constexpr std::size_t kChunkLineBytes = 4u << 10;
// Space reserved for a body before its bytes arrive.
constexpr std::size_t kTrustedBytes = 256u << 10;

bool is_visible(char c) { return c > ' ' && c < '\x7f'; }

// Turns "https://host:port/path?query" into "/path?query"; its host must be the request's `host`.
std::string_view wrong_in_target(std::string& target, std::string_view method,
                                 std::string_view host) {
  if (!std::all_of(target.begin(), target.end(), is_visible) ||
      target.find('#') != std::string::npos)
    return "invalid character in the request target";
  if (method == "CONNECT") return "CONNECT is not supported";
  if (target.starts_with('/')) return {};
  const std::size_t scheme = target.find("://");
  if (scheme == std::string::npos || (!same_name(target.substr(0, scheme), "http") &&
                                      !same_name(target.substr(0, scheme), "https")))
    return "the request target is not a path";
  const std::size_t begin = scheme + 3;
  const std::size_t end = std::min(target.find_first_of("/?", begin), target.size());
  if (end == begin || !same_name(std::string_view(target).substr(begin, end - begin), host))
    return "the host of the request target does not match the Host header";
  target.erase(0, end);
  if (!target.starts_with('/')) target.insert(0, "/");
  return {};
}

// Accepts reg-name, IPv4 and "[IPv6]", with a port (RFC 3986); RFC 9112 allows an empty host.
bool is_host(std::string_view host) {
  return std::all_of(host.begin(), host.end(), [](char c) {
    return is_visible(c) && std::string_view("/?#@\\\"<>{}|^`").find(c) == std::string_view::npos;
  });
}

}  // namespace

std::string_view wrong_in_lines(std::string_view head, std::size_t from) {
  for (std::size_t i = from; i < head.size(); ++i) {
    const auto c = static_cast<unsigned char>(head[i]);
    if (c == '\r') {
      if (i + 1 >= head.size() || head[i + 1] != '\n') return "CR without LF in the header";
    } else if (c == '\n') {
      if (i == 0 || head[i - 1] != '\r') return "LF without CR in the header";
      if (i + 1 < head.size() && (head[i + 1] == ' ' || head[i + 1] == '\t'))
        return "folded header lines are not supported";
    } else if ((c < ' ' && c != '\t') || c == 0x7f) {
      return "control character in the header";
    }
  }
  return {};
}

struct RequestParser::Impl : beast::http::basic_parser<true> {
  explicit Impl(const ParserLimits& chosen) : limits(chosen) {
    // Our own limits apply; feed() enforces the one for the head, because it sees the bytes.
    header_limit(static_cast<std::uint32_t>(limits.header_bytes) + kChunkLineBytes);
    body_limit(boost::none);
    eager(false);
  }

  Fed bad(int number, std::string_view text) {
    status = number;
    why = text;
    return {0, State::kBad};
  }

  void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target,
                       int http_version, beast::error_code& ec) override {
    request.method.assign(method.data(), method.size());
    request.target.assign(target.data(), target.size());
    version = http_version;
    ec = {};
  }
  void on_response_impl(int, beast::string_view, int, beast::error_code& ec) override { ec = {}; }
  void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value,
                     beast::error_code& ec) override {
    ec = {};
    if (head_done) return;  // ignore trailers
    if (request.headers.size() >= limits.header_count) {
      ec = beast::http::error::header_limit;
      return;
    }
    request.headers.add({name.data(), name.size()}, {value.data(), value.size()});
  }
  void on_header_impl(beast::error_code& ec) override {
    head_done = true;
    ec = {};
  }
  void on_body_init_impl(boost::optional<std::uint64_t> const&, beast::error_code& ec) override {
    ec = {};
  }
  std::size_t add_body(beast::string_view bytes, beast::error_code& ec) {
    ec = {};
    if (bytes.size() > most_body - request.body.size()) {
      ec = beast::http::error::body_limit;
      return 0;
    }
    request.body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  std::size_t on_body_impl(beast::string_view bytes, beast::error_code& ec) override {
    return add_body(bytes, ec);
  }
  void on_chunk_header_impl(std::uint64_t size, beast::string_view,
                            beast::error_code& ec) override {
    ec = {};
    chunk_left = size;
    if (size > most_body - request.body.size()) ec = beast::http::error::body_limit;
  }
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view bytes,
                                 beast::error_code& ec) override {
    const std::size_t added = add_body(bytes, ec);
    chunk_left -= added;
    return added;
  }
  void on_finish_impl(beast::error_code& ec) override { ec = {}; }

  Fed feed_head(std::string_view bytes);
  std::string_view wrong_in_head();
  Fed feed_body(std::string_view bytes);

  ParserLimits limits;
  Request request;
  int version = 11;
  bool head_done = false, began = false;
  bool keeps_alive = false, expects_continue = false;
  std::size_t most_body = 0;
  std::uint64_t chunk_left = 0;
  std::size_t seen = 0;     // bytes of the head searched without finding its end
  std::size_t checked = 0;  // those of them in complete, valid lines
  int status = 0;
  std::string why;
};

RequestParser::Fed RequestParser::Impl::feed_head(std::string_view bytes) {
  // Blank lines before a request are skipped, as RFC 9112 advises.
  std::size_t skipped = 0;
  while (!began && bytes.substr(skipped).starts_with("\r\n")) skipped += 2;
  bytes.remove_prefix(skipped);
  if (bytes.empty() || bytes == "\r") return {skipped, State::kMore};
  began = true;
  // Fail early for a client that speaks another protocol.
  if (!is_visible(bytes.front())) return bad(400, "not an HTTP request");
  const std::size_t from = seen > 3 ? seen - 3 : 0;
  const std::size_t end = bytes.find("\r\n\r\n", from);
  const std::size_t size = end == std::string_view::npos ? bytes.size() : end + 4;
  const std::size_t first_line = bytes.find('\n');
  if (std::min(first_line, bytes.size()) > limits.target_bytes + 64)
    return bad(414, "the request target is too long");
  if (size > limits.header_bytes) return bad(431, "the header fields are too large");
  if (end == std::string_view::npos) {
    // Do not wait for the rest of an invalid head.
    const std::size_t lines = bytes.rfind('\n') + 1;
    const std::string_view wrong = wrong_in_lines(bytes.substr(0, lines), checked);
    if (!wrong.empty()) return bad(400, wrong);
    checked = lines;
    seen = bytes.size();
    return {skipped, State::kMore};
  }
  const std::string_view head = bytes.substr(0, size);
  if (const std::string_view wrong = wrong_in_lines(head, 0); !wrong.empty())
    return bad(400, wrong);
  beast::error_code error;
  const std::size_t used = put({head.data(), head.size()}, error);
  if (error == beast::http::error::bad_version && began)
    return bad(505, "only HTTP/1.0 and HTTP/1.1 are supported");
  if (error == beast::http::error::header_limit) return bad(431, "too many header fields");
  if (error) return bad(400, error.message());
  if (used != size) return bad(400, "malformed end of the header");
  if (const std::string_view wrong = wrong_in_head(); !wrong.empty())
    return bad(status == 0 ? 400 : status, wrong);
  return {skipped + used, State::kHead};
}

std::string_view RequestParser::Impl::wrong_in_head() {
  const auto hosts = request.headers.all("Host");
  if (hosts.size() > 1 || (hosts.empty() && version == 11))
    return "exactly one Host header is required";
  if (!hosts.empty() && !is_host(hosts.front())) return "malformed Host header";
  if (request.target.size() > limits.target_bytes) {
    status = 414;
    return "the request target is too long";
  }
  if (const std::string_view wrong = wrong_in_target(
          request.target, request.method, hosts.empty() ? std::string_view() : hosts.front());
      !wrong.empty())
    return wrong;
  const auto lengths = request.headers.all("Content-Length");
  const auto codings = request.headers.all("Transfer-Encoding");
  if (lengths.size() > 1) return "more than one Content-Length";
  if (lengths.size() == 1 && !std::all_of(lengths.front().begin(), lengths.front().end(),
                                          [](char c) { return c >= '0' && c <= '9'; }))
    return "malformed Content-Length";
  if (!codings.empty()) {
    if (!lengths.empty()) return "both Content-Length and Transfer-Encoding";
    if (version == 10) return "Transfer-Encoding in HTTP/1.0";
    if (codings.size() > 1 || !same_name(codings.front(), "chunked")) {
      status = 501;
      return "unsupported Transfer-Encoding: only chunked is supported";
    }
  }
  if (const auto expect = request.headers.get("Expect");
      !expect.empty() && !same_name(expect, "100-continue")) {
    status = 417;
    return "only the expectation 100-continue is supported";
  }
  keeps_alive = version == 10 ? has_word(request.headers, "Connection", "keep-alive")
                              : !has_word(request.headers, "Connection", "close");
  expects_continue = version == 11 && request.headers.has("Expect");
  return {};
}

RequestParser::Fed RequestParser::Impl::feed_body(std::string_view bytes) {
  std::size_t used = 0;
  while (!is_done()) {
    if (used == bytes.size()) return {used, State::kMore};
    // Beast needs this many bytes of the last chunk at once; no message ends sooner.
    constexpr std::size_t kLastChunk = std::string_view("0\r\n\r\n").size();
    if (chunked() && chunk_left == 0 && bytes.size() - used < kLastChunk)
      return {used, State::kMore};
    beast::error_code error;
    const std::string_view rest = bytes.substr(used);
    const std::size_t now = put({rest.data(), rest.size()}, error);
    used += now;
    if (error == beast::http::error::need_more) {
      // An incomplete chunk line or trailer.
      if (bytes.size() - used > kChunkLineBytes) return bad(400, "the chunk header is too long");
      return {used, State::kMore};
    }
    if (error == beast::http::error::body_limit) return bad(413, "the body is too large");
    if (error) return bad(400, error.message());
  }
  return {used, State::kDone};
}

RequestParser::RequestParser(const ParserLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestParser::~RequestParser() = default;

RequestParser::Fed RequestParser::feed(std::string_view bytes) {
  if (impl_->status != 0) return {0, State::kBad};
  if (!impl_->head_done) return impl_->feed_head(bytes);
  return impl_->feed_body(bytes);
}

RequestParser::State RequestParser::begin_body(std::size_t most_bytes) {
  if (impl_->is_done()) return State::kDone;
  impl_->most_body = most_bytes;
  if (announced_bytes() > most_bytes) return impl_->bad(413, "the body is too large").state;
  impl_->request.body.reserve(std::min(announced_bytes(), kTrustedBytes));
  return State::kMore;
}

Request RequestParser::take() { return std::move(impl_->request); }
void RequestParser::give_back(Request request) { impl_->request = std::move(request); }
std::size_t RequestParser::body_bytes() const { return impl_->request.body.size(); }
bool RequestParser::keeps_alive() const { return impl_->keeps_alive; }
bool RequestParser::expects_continue() const { return impl_->expects_continue; }
bool RequestParser::has_chunks() const { return impl_->version == 11; }
bool RequestParser::began() const { return impl_->began; }
std::size_t RequestParser::announced_bytes() const {
  const auto length = impl_->head_done ? impl_->content_length() : boost::none;
  return length ? static_cast<std::size_t>(*length) : 0;
}
int RequestParser::status() const { return impl_->status; }
const std::string& RequestParser::why() const { return impl_->why; }

}  // namespace portico::http::internal
