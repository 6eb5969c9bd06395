#include "http/client.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/guarded.h"
#include "base/secrets.h"
#include "base/world_error.h"
#include "http/escape.h"

namespace portico::http {
namespace {

constexpr std::size_t kKeptHandles = 16;

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* what) const {
    kFree(what);
  }
};
using Easy = std::unique_ptr<CURL, Free<curl_easy_cleanup>>;
using Multi = std::unique_ptr<CURLM, Free<curl_multi_cleanup>>;
using List = std::unique_ptr<curl_slist, Free<curl_slist_free_all>>;

// The connections of one call at a time.
struct Handle {
  Multi multi;
  Easy easy;
};

// One call in progress, filled by libcurl's callbacks.
struct Running {
  Response response;
  const Client::Take* take = nullptr;
  std::size_t most_bytes = 0;
  bool too_large = false, taker_ended = false;
  bool began = false;  // the final response has a status
};

std::size_t on_header(char* bytes, std::size_t, std::size_t size, void* to) {
  Running& running = *static_cast<Running*>(to);
  std::string_view line(bytes, size);
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {  // not the final response: 100, or from a proxy
    running.response = {};
    running.began = !line.substr(std::min(line.find(' '), line.size())).starts_with(" 1");
    return size;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return size;
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  running.response.headers.add(std::string(line.substr(0, colon)), std::string(value));
  return size;
}

std::size_t on_body(CURL* easy, Running& running, std::string_view piece) {
  if (running.take != nullptr) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200 && status < 300) {
      running.taker_ended = !(*running.take)(piece);
      return running.taker_ended ? 0 : piece.size();
    }
  }
  running.too_large = piece.size() > running.most_bytes - running.response.body.size();
  if (running.too_large) return 0;
  running.response.body.append(piece);
  return piece.size();
}

struct BodyTarget {
  CURL* easy;
  Running* running;
};
std::size_t on_body_bytes(char* bytes, std::size_t, std::size_t size, void* to) {
  const auto& target = *static_cast<BodyTarget*>(to);
  return on_body(target.easy, *target.running, {bytes, size});
}

curl_blob blob(const std::string& bytes) {
  return {.data = const_cast<char*>(bytes.data()), .len = bytes.size(), .flags = CURL_BLOB_NOCOPY};
}

bool has_line_break(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

class CurlClient final : public Client {
 public:
  CurlClient(ClientOptions options, Url url) : options_(std::move(options)), url_(std::move(url)) {}

  Result<Done> prepare() {
    if (options_.unix_socket.empty()) return Done{};
    socket_path_ = options_.unix_socket;
    if (socket_path_.size() < sizeof sockaddr_un{}.sun_path) return Done{};
    // If the path is too long for a socket address, go through its folder.
    const std::filesystem::path file(socket_path_);
    folder_ = Fd(::open(file.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder_) return file_error("open", file.parent_path(), errno);
    socket_path_ = fmt::format("/proc/self/fd/{}/{}", folder_.get(), file.filename().string());
    return Done{};
  }

  Result<Response> send(const Call& call) override { return attempt(call, nullptr); }
  Result<Response> stream(const Call& call, const Take& take) override {
    return attempt(call, &take);
  }

 private:
  Result<Response> attempt(const Call& call, const Take* take) {
    auto response = with_token(call, take);
    if (options_.tls_now && (!response || response->status == 401)) look_at_tls();
    return response;
  }

  void look_at_tls() {
    auto now = options_.tls_now();
    if (!now || now->certificate.empty() != now->key.empty()) return;  // possibly half written
    tls_.with([&](std::shared_ptr<const ClientTls>& known) {
      if (*known != *now) known = std::make_shared<const ClientTls>(*std::move(now));
    });
  }

  Result<Response> with_token(const Call& call, const Take* take) {
    if (!options_.token) return perform(call, {}, take);
    PORTICO_TRY(const std::string token, options_.token(false));
    auto response = perform(call, token, take);
    if (!response || response->status != 401) return response;
    PORTICO_TRY(const std::string fresh, options_.token(true));
    if (fresh == token) return response;
    return perform(call, fresh, take);
  }

  Result<Response> perform(const Call& call, const std::string& token, const Take* take);
  Result<List> header_list(const Call& call, const std::string& token) const;
  void set_transport(CURL* easy, const ClientTls& tls, List& connect_to) const;
  static void set_request(CURL* easy, const Call& call);
  Error no_answer(const Call& call, CURLcode code, const char* detail) const;

  std::optional<Handle> take_handle() {
    auto kept = handles_.with([](std::vector<Handle>& handles) -> std::optional<Handle> {
      if (handles.empty()) return std::nullopt;
      Handle handle = std::move(handles.back());
      handles.pop_back();
      return handle;
    });
    if (kept) return kept;
    Handle made{Multi(curl_multi_init()), Easy(curl_easy_init())};
    if (!made.multi || !made.easy) return std::nullopt;
    return made;
  }
  void give_back(Handle handle) {
    handles_.with([&](std::vector<Handle>& handles) {
      if (handles.size() < kKeptHandles) handles.push_back(std::move(handle));
    });
  }

  ClientOptions options_;
  Url url_;
  Guarded<std::shared_ptr<const ClientTls>> tls_{std::make_shared<const ClientTls>(options_.tls)};
  Fd folder_;
  std::string socket_path_;
  Guarded<std::vector<Handle>> handles_;
};

bool is_loopback(std::string_view host) {
  return host == "localhost" || host.starts_with("127.") || host == "::1" || host == "[::1]";
}

Result<List> CurlClient::header_list(const Call& call, const std::string& token) const {
  std::vector<std::string> lines;
  for (const Headers* const fields : {&options_.headers, &call.headers}) {
    for (const HeaderField& field : *fields) {
      if (has_line_break(field.name) || has_line_break(field.value))
        return invalid("header {} contains a line break", field.name);
      // libcurl drops a field without a value unless it ends with ';'.
      lines.push_back(field.value.empty() ? field.name + ";" : field.name + ": " + field.value);
    }
  }
  if (has_line_break(token)) return invalid("the bearer token contains a line break");
  if (!token.empty()) lines.push_back("Authorization: Bearer " + token);
  if (!options_.tls.server_name.empty()) lines.push_back("Host: " + url_.authority());
  lines.emplace_back("Expect:");
  if (!call.headers.has("Content-Type")) lines.emplace_back("Content-Type:");
  List list;
  for (const std::string& line : lines) {
    curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) return unavailable("cannot allocate memory for a request");
    (void)list.release();
    list.reset(longer);
  }
  return list;
}

void CurlClient::set_transport(CURL* easy, const ClientTls& tls, List& connect_to) const {
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect.count()));
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy, CURLOPT_USERAGENT, options_.user_agent.c_str());
  if (!tls.ca.empty()) {
    curl_blob ca = blob(tls.ca);
    curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &ca);
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  }
  if (!tls.certificate.empty()) {
    curl_blob certificate = blob(tls.certificate), key = blob(tls.key);
    curl_easy_setopt(easy, CURLOPT_SSLCERT_BLOB, &certificate);
    curl_easy_setopt(easy, CURLOPT_SSLKEY_BLOB, &key);
  }
  if (tls.insecure) {
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
  }
  if (!socket_path_.empty()) {
    curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, socket_path_.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
  } else if (options_.proxy) {
    curl_easy_setopt(easy, CURLOPT_PROXY, options_.proxy->c_str());
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "");  // not that of the environment
  } else if (is_loopback(url_.host)) {
    curl_easy_setopt(easy, CURLOPT_PROXY, "");  // a proxy from the environment cannot reach it
  }
  if (!tls.server_name.empty()) {
    // The URL contains the name that the certificate must have; the connection goes to the server.
    const std::string to = fmt::format("{}:{}:{}", tls.server_name, url_.port, url_.authority());
    connect_to.reset(curl_slist_append(nullptr, to.c_str()));
    curl_easy_setopt(easy, CURLOPT_CONNECT_TO, connect_to.get());
  }
}

void CurlClient::set_request(CURL* easy, const Call& call) {
  const bool has_body =
      !call.body.empty() || call.method == "POST" || call.method == "PUT" || call.method == "PATCH";
  if (call.method == "HEAD") {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  } else if (has_body) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(call.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, call.body.data());
  }
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, call.method.c_str());
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, call.anew ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(call.time.count()));
  if (call.silence.count() > 0) {
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME,
                     static_cast<long>(std::max<std::int64_t>(call.silence.count() / 1000, 1)));
  }
}

Error CurlClient::no_answer(const Call& call, CURLcode code, const char* detail) const {
  const std::string_view why = *detail != '\0' ? detail : curl_easy_strerror(code);
  Error error = error_for(
      remedy_of_curl(code),
      without_secrets(fmt::format("no response to {} {}{}: {}", call.method, options_.server,
                                  call.target.substr(0, call.target.find('?')), why)));
  if (code == CURLE_OPERATION_TIMEDOUT) error.reason = Reason::kTimeout;
  return error;
}

Result<Response> CurlClient::perform(const Call& call, const std::string& token, const Take* take) {
  if (!call.target.starts_with('/') || has_line_break(call.target) || has_line_break(call.method))
    return invalid("invalid request target \"{}\"", call.target);
  auto handle = take_handle();
  if (!handle) return unavailable("cannot allocate memory for a request");
  CURL* const easy = handle->easy.get();
  CURLM* const multi = handle->multi.get();
  PORTICO_TRY(const List headers, header_list(call, token));
  List connect_to;
  std::array<char, CURL_ERROR_SIZE> detail{};
  Running running{.response = {}, .take = take, .most_bytes = options_.response_bytes};
  BodyTarget target{easy, &running};
  const std::string& name = options_.tls.server_name;
  const Url named{url_.scheme, name.empty() ? url_.host : name, url_.port, url_.path};
  const std::string url =
      fmt::format("{}://{}{}{}", named.scheme, named.authority(), named.path, call.target);
  curl_easy_reset(easy);
  const auto tls = tls_.with([](const auto& known) { return known; });
  set_transport(easy, *tls, connect_to);
  set_request(easy, call);
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail.data());
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &running);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body_bytes);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &target);

  using std::chrono::milliseconds, std::chrono::steady_clock;
  const auto begins_by = steady_clock::now() + call.first;
  CURLcode code = CURLE_OK;
  bool is_done = false;
  {
    const std::stop_callback wake(call.stop, [multi] { curl_multi_wakeup(multi); });
    curl_multi_add_handle(multi, easy);
    while (!is_done && !call.stop.stop_requested()) {
      int left = 0;
      if (curl_multi_perform(multi, &left) != CURLM_OK) code = CURLE_FAILED_INIT;
      int messages = 0;
      while (const CURLMsg* message = curl_multi_info_read(multi, &messages))
        if (message->msg == CURLMSG_DONE) code = message->data.result, is_done = true;
      constexpr int kLongest = 60'000;  // milliseconds; libcurl wakes up earlier by itself
      if (is_done || code != CURLE_OK) break;
      const auto left_to_begin = std::chrono::ceil<milliseconds>(begins_by - steady_clock::now());
      const bool waits = call.first.count() > 0 && !running.began;
      if (waits && left_to_begin.count() <= 0) {
        code = CURLE_OPERATION_TIMEDOUT;
        fmt::format_to_n(detail.begin(), detail.size() - 1, "it did not begin within {} ms",
                         call.first.count());
        break;
      }
      const std::int64_t most = waits ? left_to_begin.count() : kLongest;
      curl_multi_poll(multi, nullptr, 0, static_cast<int>(std::min<std::int64_t>(most, kLongest)),
                      nullptr);
    }
    curl_multi_remove_handle(multi, easy);
  }
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  running.response.status = static_cast<int>(status);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
  if (code == CURLE_OK && is_done) give_back(*std::move(handle));
  if (code != CURLE_OK && !running.taker_ended && !running.too_large)
    handles_.with([](std::vector<Handle>& handles) { handles.clear(); });
  if (running.too_large)
    return refused("the response to {} {}{} is larger than {} bytes", call.method,
                   without_secrets(options_.server), call.target, options_.response_bytes);
  if (running.taker_ended) return std::move(running.response);
  if (call.stop.stop_requested() && !is_done)
    return unavailable("{} {}{} was stopped", call.method, without_secrets(options_.server),
                       call.target.substr(0, call.target.find('?')));
  if (code != CURLE_OK) return no_answer(call, code, detail.data());
  return std::move(running.response);
}

}  // namespace

Result<std::unique_ptr<Client>> Client::make(ClientOptions options) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  PORTICO_TRY(Url url, parse_url(options.server));
  const ClientTls& tls = options.tls;
  if (tls.certificate.empty() != tls.key.empty())
    return invalid("a client certificate requires a key, and a key requires a certificate");
  auto client = std::make_unique<CurlClient>(std::move(options), std::move(url));
  PORTICO_DO(client->prepare());
  return std::unique_ptr<Client>(std::move(client));
}

bool Lines::add(std::string_view piece) {
  for (std::size_t end; (end = piece.find('\n')) != std::string_view::npos;) {
    begun_.append(piece.substr(0, end));
    piece.remove_prefix(end + 1);
    if (begun_.size() > most_) return false;
    if (begun_.ends_with('\r')) begun_.pop_back();
    if (!take_(std::exchange(begun_, {}))) return false;
  }
  begun_.append(piece);
  return begun_.size() <= most_;
}

bool Lines::finish() { return begun_.empty() || take_(std::exchange(begun_, {})); }

}  // namespace portico::http
