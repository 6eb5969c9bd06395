// A client for one HTTP server, based on libcurl.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"

namespace portico::http {

/// All in PEM format.
struct ClientTls {
  std::string ca = {};  // "": the system's trusted CAs
  std::string certificate = {}, key = {};
  std::string server_name = {};  // name in the server's certificate; "": the host of the URL
  bool insecure = false;         // accept any certificate
  bool operator==(const ClientTls&) const = default;
};

struct ClientOptions {
  std::string server;            // "https://host:port/prefix"
  std::string unix_socket = {};  // connects here instead; Host is taken from the URL
  ClientTls tls = {};
  /// Returns the current `tls` if it comes from files that can be replaced. Called after a call
  /// without a response, or with 401; changes apply from the next call on.
  std::function<Result<ClientTls>()> tls_now = {};
  /// nullopt: the proxy from the environment, except for loopback hosts and those of NO_PROXY. Any
  /// other value counts for all hosts; "": no proxy.
  std::optional<std::string> proxy = {};
  std::string user_agent = "portico";
  Headers headers = {};  // added to each call
  std::chrono::milliseconds connect = std::chrono::seconds(15);
  std::size_t response_bytes = 512u << 20;  // limit for a collected body, decompressed
  /// The bearer token for each call, "" for none. `again`: the last token was refused (401).
  std::function<Result<std::string>(bool again)> token = {};
};

struct Call {
  std::string method = "GET";
  std::string target = "/";  // escaped; appended to the server's prefix
  Headers headers = {};
  std::string body = {};
  std::chrono::milliseconds time = std::chrono::seconds(60);  // for the whole call; 0: no limit
  std::chrono::milliseconds first{0};    // until the response begins; 0: no limit
  std::chrono::milliseconds silence{0};  // without a byte of the response; 0: no limit
  /// Opens a new connection: a kept one may have died silently, and a caller that waits for a long
  /// time would not notice.
  bool anew = false;
  std::stop_token stop = {};  // gives up at once when requested
};

/// Reuses connections. After a call without a response all kept connections are dropped, because
/// whatever broke one has often broken all. Does not follow redirects. Thread-safe.
///
/// Any response is returned, whatever its status. An Error means that there was none: its code
/// classifies the failure (base/world_error.h), its text contains no secrets. Reason::kTimeout if
/// the time is over; kUnavailable also if the call was stopped.
class Client {
 public:
  static Result<std::unique_ptr<Client>> make(ClientOptions options);
  virtual ~Client() = default;

  virtual Result<Response> send(const Call& call) = 0;

  /// Called with each piece of the body as it arrives; returning false ends the call, without an
  /// error.
  using Take = std::function<bool(std::string_view piece)>;
  /// Passes the body of a 2xx response to `take`; any other body is collected.
  virtual Result<Response> stream(const Call& call, const Take& take) = 0;
};

/// Splits arbitrary pieces into lines and passes them on without line ends; the last line needs no
/// line end. add() and finish() return false if a line exceeds `most` bytes or `take` returns
/// false.
class Lines {
 public:
  Lines(std::size_t most, Client::Take take) : most_(most), take_(std::move(take)) {}
  bool add(std::string_view piece);
  bool finish();

 private:
  std::size_t most_;
  Client::Take take_;
  std::string begun_;
};

}  // namespace portico::http
