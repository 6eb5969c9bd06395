#include "engine/probes.h"

#include <utility>

#include "base/host_port.h"
#include "http/server.h"

namespace portico::engine {

namespace {

constexpr std::chrono::seconds kGrace{1};

class Answers : public http::Handler {
 public:
  Answers(telemetry::Metrics& metrics, std::function<Result<Done>()> ready)
      : metrics_(metrics), ready_(std::move(ready)) {}

  http::Answer handle(http::Request request) override {
    if (request.method != "GET" && request.method != "HEAD")
      return plain(405, "method not allowed: use GET\n");
    if (request.path() == "/healthz") return plain(200, "ok\n");
    if (request.path() == "/metrics") return plain(200, metrics_.text());
    if (request.path() != "/readyz")
      return plain(404, "not found: use /metrics, /healthz or /readyz\n");
    const auto ready = ready_();
    return ready ? plain(200, "ok\n") : plain(503, ready.error().text() + "\n");
  }

 private:
  static http::Response plain(int status, std::string text) {
    http::Response out{.status = status, .body = std::move(text)};
    out.headers.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    return out;
  }

  telemetry::Metrics& metrics_;
  const std::function<Result<Done>()> ready_;
};

class ProbesImpl : public Probes {
 public:
  ProbesImpl(std::string host, std::unique_ptr<http::Server> server)
      : host_(std::move(host)), server_(std::move(server)) {}
  ~ProbesImpl() override { server_->stop(kGrace); }

  std::string address() const override { return HostPort{host_, server_->ports().front()}.text(); }

 private:
  const std::string host_;
  const std::unique_ptr<http::Server> server_;
};

}  // namespace

Result<std::unique_ptr<Probes>> Probes::start(const std::string& address,
                                              telemetry::Metrics& metrics,
                                              std::function<Result<Done>()> ready) {
  PORTICO_TRY(const HostPort place, parse_host_port(address));
  http::Options options;
  options.listeners = {{.host = place.host, .port = place.port, .tls = false}};
  options.threads = 1;
  PORTICO_TRY(auto server, http::Server::start(std::move(options), std::make_shared<Answers>(
                                                                       metrics, std::move(ready))));
  return std::unique_ptr<Probes>(std::make_unique<ProbesImpl>(place.host, std::move(server)));
}

}  // namespace portico::engine
