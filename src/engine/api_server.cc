#include "engine/api_server.h"

#include <filesystem>
#include <initializer_list>

#include "apiserver/server.h"
#include "base/guarded.h"
#include "base/host_port.h"
#include "base/secret_file.h"
#include "engine/identities.h"
#include "engine/remote_engine.h"
#include "http/server.h"
#include "identity/certificates.h"
#include "identity/serving_certificate.h"
#include "kubeconfig/config.h"

namespace portico::engine {

namespace {

// A request that makes a draft may take as long as its functions do.
constexpr std::chrono::minutes kLongestRequest{11};
constexpr std::chrono::hours kServerLifetime{24 * 365};
constexpr std::chrono::hours kClientLifetime{24 * 365};
constexpr std::size_t kMostPem = std::size_t{1} << 20;

// Concatenates PEM texts.
std::string texts(std::initializer_list<std::string> all) {
  std::string out;
  for (const std::string& each : all) {
    if (!out.empty() && !out.ends_with('\n')) out += '\n';
    out += each;
  }
  return out;
}

// For http::Tls: the server's own and the additional client authorities.
Result<std::string> client_authorities(const std::string& own, const std::string& file) {
  if (file.empty()) return own;
  PORTICO_TRY(const std::string more, read_small_file(file, kMostPem));
  PORTICO_DO(identity::read_certificate(more), file);
  return texts({own, more});
}

// Completes a port to "127.0.0.1:PORT" and a host to "HOST:6443".
std::string whole_address(std::string_view text) {
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos)
    return fmt::format("127.0.0.1:{}", text);
  if (text.find(':') == std::string_view::npos || text.ends_with(']'))
    return fmt::format("{}:6443", text);
  return std::string(text);
}

// The host for clients: one of its names if it listens on all addresses.
std::string host_for_clients(const HostPort& address, const std::vector<std::string>& names) {
  if (!address.host.empty() && address.host != "0.0.0.0" && address.host != "::")
    return address.host;
  return names.empty() ? "127.0.0.1" : names.front();
}

class Running : public ApiServer {
 public:
  explicit Running(Served served) : served_(std::move(served)) {}
  ~Running() override {
    admin_.reset();
    serving_.reset();
    for (const auto& server : {socket_.get(), server_.get()})
      if (server != nullptr) server->stop(std::chrono::seconds(2));
  }

  Result<Done> start(const Options& options) {
    const std::string pki = options.folder + "/pki";
    std::error_code error;
    std::filesystem::create_directories(pki, error);
    if (error) return unavailable("cannot create \"{}\": {}", pki, error.message());
    std::filesystem::permissions(pki, std::filesystem::perms::owner_all, error);
    Identities::Options who = options.identities;
    who.folder = pki;
    who.owner = ::getuid();
    PORTICO_TRY(identities_, Identities::open(who, own(), served_.clock, &served_.log));
    if (options.audit) {
      PORTICO_TRY(audit_, AuditFile::open(*options.audit, served_.log), "--audit-log");
    }
    for_owner_ = options.for_owner;
    handler_ = std::make_shared<Forward>();
    std::string address = "localhost";
    if (!options.listen.empty()) {
      PORTICO_TRY(address, listen(options, pki));
    }
    PORTICO_TRY(auto api, apiserver::make_server({.registry = served_.registry,
                                                  .authenticator = *identities_,
                                                  .clock = served_.clock,
                                                  .packages = &served_.packages,
                                                  .drafts = &served_.drafts,
                                                  .tokens = identities_.get(),
                                                  .operations = served_.operations,
                                                  .audit = audit_.get(),
                                                  .log = &served_.log,
                                                  .meter = served_.meter,
                                                  .own = &own(),
                                                  .authorizer = served_.authorizer,
                                                  .tracer = served_.tracer,
                                                  .metrics = options.metrics},
                                                 {.address = address,
                                                  .version = options.version,
                                                  .only_group = served_.only_group}));
    handler_->set(std::move(api));
    if (!options.for_owner) return Done{};
    // Last: requests through the socket are answered from the start.
    http::Options http = http_options();
    http.listeners = {http::Listener{.tls = false, .unix_path = socket_path(options.folder)}};
    PORTICO_TRY(socket_, http::Server::start(std::move(http), handler_));
    return Done{};
  }

  const std::string& url() const override { return url_; }

  Result<Done> set_authorities(const Authorities& authorities) override {
    const Pairs now = pairs_.with([&](Pairs& pairs) {
      pairs.tls.client_ca = texts({own_authorities_, authorities.front_proxy, authorities.clients});
      return pairs;
    });
    if (now.server != nullptr) PORTICO_DO(now.server->set_tls(now.tls), "clients' authorities");
    return identities_->set_front_proxy(authorities.front_proxy, authorities.front_proxy_names);
  }

 private:
  registry::Registry& own() const {
    return served_.own != nullptr ? *served_.own : served_.registry;
  }

  http::Options http_options() {
    http::Options out;
    out.times.request = kLongestRequest;
    out.shares = apiserver::shares();
    out.log = &served_.log;
    return out;
  }

  // Returns host and port for clients.
  Result<std::string> listen(const Options& options, const std::string& pki) {
    PORTICO_TRY(const HostPort address, parse_host_port(whole_address(options.listen)), "--listen");
    PORTICO_TRY(const auto authority,
                identity::CertificateAuthority::open(pki, "portico", served_.clock.now()));
    authority_ = authority.certificate();
    PORTICO_TRY(own_authorities_, client_authorities(authority_, options.client_ca), "--client-ca");
    // Requests through the proxy present a certificate of its authority.
    pairs_.with([&](Pairs& pairs) {
      pairs.tls.client_ca =
          texts({own_authorities_, identities_->front_proxy_ca(), options.more_client_ca});
    });
    identity::ServingOptions serving{.certificate_file = options.tls_certificate,
                                     .key_file = options.tls_key,
                                     .names = {"localhost", "127.0.0.1", "::1"},
                                     .lifetime = kServerLifetime};
    if (!address.host.empty()) serving.names.push_back(address.host);
    serving.names.insert(serving.names.end(), options.names.begin(), options.names.end());
    if (options.tls_certificate.empty()) serving.authority = authority;
    PORTICO_TRY(serving_,
                identity::ServingCertificate::start(
                    std::move(serving), served_.clock, &served_.log,
                    [this](const identity::KeyPair& pair) { return use_for_server(pair); }),
                options.tls_certificate.empty() ? "the server's certificate" : "--tls-cert");
    has_own_certificate_ = !options.tls_certificate.empty();
    kubeconfig_ = kubeconfig_path(options.folder);

    http::Options http = http_options();
    http.listeners = {http::Listener{.host = address.host, .port = address.port}};
    http.tls = pairs_.with([](const Pairs& pairs) { return pairs.tls; });
    PORTICO_TRY(server_, http::Server::start(std::move(http), handler_), "--listen");
    const std::uint16_t port = server_->ports().front();
    const std::string host = host_for_clients(address, options.names);
    std::string out = HostPort{host, port}.text();
    url_ = "https://" + out;
    if (options.for_owner) {
      PORTICO_TRY(admin_, identity::ServingCertificate::start(
                              {.authority = authority,
                               .user = "portico-admin",
                               .groups = {"system:masters"},
                               .lifetime = kClientLifetime},
                              served_.clock, &served_.log, [this](const identity::KeyPair& pair) {
                                return use_for_admin(pair);
                              }));
    }
    // The certificate may have been renewed while the server started.
    PORTICO_DO(server_->set_tls(pairs_.with([&](Pairs& pairs) {
      pairs.server = server_.get();
      return pairs.tls;
    })));
    return out;
  }

  struct Pairs {
    http::Tls tls;
    identity::KeyPair admin;
    http::Server* server = nullptr;  // null until it listens
  };

  Result<Done> use_for_server(const identity::KeyPair& pair) {
    const Pairs now = pairs_.with([&](Pairs& pairs) {
      pairs.tls.certificate = pair.certificate;
      pairs.tls.key = pair.key;
      return pairs;
    });
    if (now.server == nullptr) return Done{};
    PORTICO_DO(now.server->set_tls(now.tls));
    return has_own_certificate_ && for_owner_ ? write_kubeconfig(now) : Result<Done>(Done{});
  }

  Result<Done> use_for_admin(const identity::KeyPair& pair) {
    return write_kubeconfig(pairs_.with([&](Pairs& pairs) {
      pairs.admin = pair;
      return pairs;
    }));
  }

  // A certificate from a file is itself the trust anchor.
  Result<Done> write_kubeconfig(const Pairs& pairs) const {
    kubeconfig::Config config;
    config.clusters["portico"] = {
        .server = url_, .ca = {.data = has_own_certificate_ ? pairs.tls.certificate : authority_}};
    config.users["portico-admin"] = {.certificate = {.data = pairs.admin.certificate},
                                     .key = {.data = pairs.admin.key}};
    config.contexts["portico"] = {.cluster = "portico", .user = "portico-admin", .ns = "default"};
    config.current_context = "portico";
    return write_secret_file(kubeconfig_, kubeconfig::print_config(config));
  }

  // The API needs the port, which is known once the listener is bound; until the API exists,
  // clients are told to retry.
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

  const Served served_;
  std::unique_ptr<Identities> identities_;
  std::unique_ptr<AuditFile> audit_;
  std::shared_ptr<Forward> handler_;
  std::unique_ptr<http::Server> server_, socket_;
  std::string url_, kubeconfig_, authority_, own_authorities_;
  bool has_own_certificate_ = false, for_owner_ = true;
  Guarded<Pairs> pairs_;
  std::unique_ptr<identity::ServingCertificate> serving_, admin_;  // last: they call back
};

}  // namespace

std::string kubeconfig_path(const std::string& folder) { return folder + "/admin.kubeconfig"; }

Result<std::unique_ptr<ApiServer>> ApiServer::start(const Options& options, const Served& served) {
  auto out = std::make_unique<Running>(served);
  PORTICO_DO(out->start(options));
  return std::unique_ptr<ApiServer>(std::move(out));
}

}  // namespace portico::engine
