// A client of one HTTP server. libcurl is behind it.
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

/// PEM texts.
struct ClientTls {
  std::string ca = {};  // "": those that the system trusts
  std::string certificate = {}, key = {};
  std::string server_name = {};  // that the server's certificate has; "": the host of the URL
  bool insecure = false;         // any certificate will do
  bool operator==(const ClientTls&) const = default;
};

struct ClientOptions {
  std::string server;            // "https://host:port/prefix"
  std::string unix_socket = {};  // connects here instead; the URL says what Host is
  ClientTls tls = {};
  /// What `tls` is by now, where it comes from files that are replaced: asked for after a call that
  /// had no answer, or 401. What differs counts from the next call on.
  std::function<Result<ClientTls>()> tls_now = {};
  // None: what the environment says, but for this machine itself; "": no proxy.
  std::optional<std::string> proxy = {};
  std::string user_agent = "portico";
  Headers headers = {};  // of each call
  std::chrono::milliseconds connect = std::chrono::seconds(15);
  std::size_t response_bytes = 512u << 20;  // of a body that is collected, unpacked
  /// The bearer token of each call, "" for none. With `again`, the last one was refused (401).
  std::function<Result<std::string>(bool again)> token = {};
};

struct Call {
  std::string method = "GET";
  std::string target = "/";  // escaped, behind the prefix of the server
  Headers headers = {};
  std::string body = {};
  std::chrono::milliseconds time = std::chrono::seconds(60);  // for all of it; 0: no limit
  std::chrono::milliseconds silence{0};  // without a byte of the answer; 0: no limit
  /// Not on a connection that was kept: it may be dead without a word, and who waits for a long
  /// time would not notice.
  bool anew = false;
  std::stop_token stop = {};  // gives up at once
};

/// Connections are kept and used again; after a call that had no answer none of them is, for what
/// broke the one has often broken all. Redirects are not followed. Safe from any thread.
///
/// What comes back is any answer, whatever its status. An Error says that there is none: its code
/// tells who can mend it (base/world_error.h), its text has no secrets; Reason::kTimeout for time
/// that is over, kUnavailable too where the call was stopped.
class Client {
 public:
  static Result<std::unique_ptr<Client>> make(ClientOptions options);
  virtual ~Client() = default;

  virtual Result<Response> send(const Call& call) = 0;

  /// Called with each piece of the body as it comes; false ends the call, which is no error.
  using Take = std::function<bool(std::string_view piece)>;
  /// The body of an answer with a status of 200 to 299 goes to `take`, any other is collected.
  virtual Result<Response> stream(const Call& call, const Take& take) = 0;
};

/// Hands on whole lines without their ends, whatever the pieces; the last one needs none. False
/// where a line is longer than `most` bytes, or `take` is false.
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
