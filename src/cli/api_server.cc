#include "cli/api_server.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <filesystem>

#include "apiserver/server.h"
#include "base/guarded.h"
#include "cli/identities.h"
#include "cli/operations.h"
#include "cli/remote_engine.h"
#include "http/server.h"
#include "identity/certificates.h"
#include "kubeconfig/config.h"

namespace portico::cli {

namespace {

// A draft may take as long as its functions do.
constexpr std::chrono::minutes kLongestRequest{11};
constexpr std::chrono::hours kServerLifetime{24 * 365};
constexpr std::chrono::hours kClientLifetime{24 * 365};

struct Address {
  std::string host;
  std::uint16_t port = 0;
};

Result<Address> parse_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  Address out;
  if (colon == std::string::npos) return invalid("\"{}\" is not HOST:PORT", text);
  out.host = text.substr(0, colon);
  if (out.host.starts_with('[') && out.host.ends_with(']'))
    out.host = out.host.substr(1, out.host.size() - 2);
  const char* const first = text.data() + colon + 1;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, out.port);
  if (error != std::errc() || end != last || first == last)
    return invalid("\"{}\" is not HOST:PORT", text);
  return out;
}

// Whole or not at all, and readable by the owner only.
Result<Done> write_secret(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  const int file = ::open(fresh.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return unavailable("\"{}\" cannot be written: {}", fresh, strerror(errno));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  const bool good = done == text.size() && ::fsync(file) == 0;
  const int error = errno;
  ::close(file);
  if (!good) return unavailable("\"{}\" cannot be written: {}", fresh, strerror(error));
  if (::rename(fresh.c_str(), path.c_str()) != 0)
    return unavailable("\"{}\" cannot be written: {}", path, strerror(errno));
  return Done{};
}

class Running : public ApiServer {
 public:
  explicit Running(EmbeddedEngine& engine) : engine_(engine), operations_(engine) {}
  ~Running() override {
    for (const auto& server : {socket_.get(), server_.get()})
      if (server != nullptr) server->stop(std::chrono::seconds(2));
  }

  Result<Done> start(const Options& options) {
    const std::string pki = options.folder + "/pki";
    std::error_code error;
    std::filesystem::create_directories(pki, error);
    if (error) return unavailable("\"{}\" cannot be made: {}", pki, error.message());
    std::filesystem::permissions(pki, std::filesystem::perms::owner_all, error);
    PORTICO_TRY(identities_, Identities::open({.folder = pki, .owner = ::getuid()},
                                              engine_.registry(), engine_.clock(), &engine_.log()));
    handler_ = std::make_shared<Forward>();
    std::string address = "localhost";
    if (!options.listen.empty()) {
      PORTICO_TRY(address, listen(options, pki));
    }
    PORTICO_TRY(auto api, apiserver::make_server({.registry = engine_.registry(),
                                                  .authenticator = *identities_,
                                                  .clock = engine_.clock(),
                                                  .packages = &engine_.packages(),
                                                  .drafts = &engine_.drafts(),
                                                  .tokens = identities_.get(),
                                                  .operations = &operations_,
                                                  .log = &engine_.log()},
                                                 {.address = address, .version = options.version}));
    handler_->set(std::move(api));
    // Last: whoever finds the socket is answered.
    http::Options http = http_options();
    http.listeners = {http::Listener{.tls = false, .unix_path = socket_path(options.folder)}};
    PORTICO_TRY(socket_, http::Server::start(std::move(http), handler_));
    return Done{};
  }

  const std::string& url() const override { return url_; }

 private:
  http::Options http_options() {
    http::Options out;
    out.times.request = kLongestRequest;
    out.log = &engine_.log();
    return out;
  }

  // Host and port, as clients reach it.
  Result<std::string> listen(const Options& options, const std::string& pki) {
    PORTICO_TRY(const Address address, parse_address(options.listen));
    PORTICO_TRY(const auto authority,
                identity::CertificateAuthority::open(pki, "portico", engine_.clock().now()));
    std::vector<std::string> names = {"localhost", "127.0.0.1", "::1"};
    if (!address.host.empty()) names.push_back(address.host);
    PORTICO_TRY(const identity::KeyPair pair,
                authority.issue_server(names, engine_.clock().now(), kServerLifetime));
    PORTICO_TRY(const identity::KeyPair admin,
                authority.issue_client("portico-admin", {"system:masters"}, engine_.clock().now(),
                                       kClientLifetime));
    http::Options http = http_options();
    http.listeners = {http::Listener{.host = address.host, .port = address.port}};
    http.tls = {pair.certificate, pair.key, authority.certificate()};
    PORTICO_TRY(server_, http::Server::start(std::move(http), handler_), "--listen");
    const std::uint16_t port = server_->ports().front();
    const std::string host = address.host.empty() ? "127.0.0.1" : address.host;
    std::string out =
        fmt::format("{}:{}", host.find(':') == std::string::npos ? host : "[" + host + "]", port);
    url_ = "https://" + out;
    kubeconfig::Config config;
    config.clusters["portico"] = {.server = url_, .ca = {.data = authority.certificate()}};
    config.users["portico-admin"] = {.certificate = {.data = admin.certificate},
                                     .key = {.data = admin.key}};
    config.contexts["portico"] = {.cluster = "portico", .user = "portico-admin", .ns = "default"};
    config.current_context = "portico";
    PORTICO_DO(write_secret(kubeconfig_path(options.folder), kubeconfig::print_config(config)));
    return out;
  }

  // The port is known when the listener has it: until the API is made, requests are told to come
  // again.
  class Forward : public http::Handler {
   public:
    void set(std::shared_ptr<http::Handler> api) {
      api_.with([&](auto& known) { known = std::move(api); });
    }
    http::Answer handle(http::Request request) override {
      const auto api = api_.with([](const auto& known) { return known; });
      if (api) return api->handle(std::move(request));
      http::Response starting{.status = 503, .body = "starting\n"};
      starting.headers.set("Retry-After", "1");
      return starting;
    }
    http::Place place(const http::Request& head) override {
      const auto api = api_.with([](const auto& known) { return known; });
      return api ? api->place(head) : http::Handler::place(head);
    }
    std::size_t body_limit(const http::Request& head) override {
      const auto api = api_.with([](const auto& known) { return known; });
      return api ? api->body_limit(head) : http::Handler::body_limit(head);
    }
    http::Response refuse(const http::Refusal& refusal) override {
      const auto api = api_.with([](const auto& known) { return known; });
      return api ? api->refuse(refusal) : http::Handler::refuse(refusal);
    }

   private:
    Guarded<std::shared_ptr<http::Handler>> api_;
  };

  EmbeddedEngine& engine_;
  EngineOperations operations_;
  std::unique_ptr<Identities> identities_;
  std::shared_ptr<Forward> handler_;
  std::unique_ptr<http::Server> server_, socket_;
  std::string url_;
};

}  // namespace

std::string kubeconfig_path(const std::string& folder) { return folder + "/admin.kubeconfig"; }

Result<std::unique_ptr<ApiServer>> ApiServer::start(const Options& options,
                                                    EmbeddedEngine& engine) {
  auto out = std::make_unique<Running>(engine);
  PORTICO_DO(out->start(options));
  return std::unique_ptr<ApiServer>(std::move(out));
}

}  // namespace portico::cli
