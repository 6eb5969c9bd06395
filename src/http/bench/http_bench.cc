// Measures the cost of a request, in plain text and with TLS, the time of a burst to a thousand
// streams, and the memory of ten thousand idle streams. Clients run in a process of their own.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/monitor.h"
#include "http/server.h"
#include "identity/certificates.h"

namespace portico::http {
namespace {

enum Way { kPlain, kTls, kTlsWithCertificate };  // of the client

constexpr std::string_view kGet =
    "GET /api/v1/namespaces/default/configmaps/one HTTP/1.1\r\nHost: localhost\r\n"
    "User-Agent: bench\r\nAccept: application/json\r\n\r\n";

/// A blocking client connection.
class Connection {
 public:
  Connection(std::uint16_t port, SSL_CTX* tls) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::abort();
    if (tls == nullptr) return;
    ssl_ = SSL_new(tls);
    SSL_set_fd(ssl_, fd_);
    if (SSL_connect(ssl_) != 1) std::abort();
  }
  ~Connection() {
    SSL_free(ssl_);
    ::close(fd_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view bytes) {
    const int size = static_cast<int>(bytes.size());
    const auto sent = ssl_ != nullptr ? SSL_write(ssl_, bytes.data(), size)
                                      : ::send(fd_, bytes.data(), bytes.size(), 0);
    if (sent != size) std::abort();
  }
  std::size_t read() {
    char bytes[16384];
    const auto got =
        ssl_ != nullptr ? SSL_read(ssl_, bytes, sizeof bytes) : ::recv(fd_, bytes, sizeof bytes, 0);
    if (got <= 0) std::abort();
    return static_cast<std::size_t>(got);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
  SSL* ssl_ = nullptr;
};

// Keys for clients with a certificate, like administrators; the server keeps that certificate for
// as long as they are connected.
struct Authority {
  identity::CertificateAuthority ca = *identity::CertificateAuthority::make("ca", now());
  identity::KeyPair server = *ca.issue_server({"127.0.0.1"}, now(), std::chrono::hours(1));
  identity::KeyPair client =
      *ca.issue_client("admin", {"system:masters"}, now(), std::chrono::hours(1));
  static TimePoint now() { return SystemClock().now(); }
};

const Authority& authority() {
  static const Authority kAuthority;
  return kAuthority;
}

/// A child process that runs `work(port)` once it receives the port, and signals when it is ready.
class Child {
 public:
  using Ready = std::function<void()>;
  explicit Child(const std::function<void(std::uint16_t, const Ready&)>& work) {
    if (::pipe(to_) != 0 || ::pipe(from_) != 0) std::abort();
    authority();  // created before the fork, so both processes have the same
    pid_ = ::fork();
    if (pid_ != 0) return;
    std::uint16_t port = 0;
    if (::read(to_[0], &port, sizeof port) != sizeof port) std::_Exit(1);
    work(port, [this] {
      const char ready = 'r';
      (void)!::write(from_[1], &ready, 1);
    });
    std::_Exit(0);
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    for (const int fd : {to_[0], to_[1], from_[0], from_[1]}) ::close(fd);
  }
  void start(std::uint16_t port) { (void)!::write(to_[1], &port, sizeof port); }
  void wait_ready() {
    char ready;
    (void)!::read(from_[0], &ready, 1);
  }

 private:
  int to_[2], from_[2];
  pid_t pid_;
};

struct Answers : Handler {
  std::atomic<std::uint64_t> count = 0;
  Answer handle(Request) override {
    ++count;
    return Response{.headers = {{"Content-Type", "application/json"},
                                {"Audit-Id", "0f9d1f4c-6a2d-4a6c-9b4c-2d1f4c6a2d4a"}},
                    .body = std::string(600, 'x')};
  }
};

struct Watches : Handler {
  Monitor<std::vector<std::shared_ptr<Stream>>> streams;
  Answer handle(Request) override {
    return Streaming{.start = [this](std::shared_ptr<Stream> stream) {
      streams.change([&](auto& all) { all.push_back(std::move(stream)); });
    }};
  }
  void wait_for(std::size_t count) {
    streams.wait([&](const auto& all) { return all.size() >= count; }, [](auto&) {});
  }
};

Options options(Way way) {
  Options made;
  made.listeners = {Listener{.tls = way != kPlain}};
  made.limits.connections = made.limits.connections_per_client = 11'000;
  made.shares = {Share{.name = "all", .running = 4, .waiting = 1000, .streams = 11'000}};
  if (way != kPlain)
    made.tls = {.certificate = authority().server.certificate,
                .key = authority().server.key,
                .client_ca = authority().ca.certificate()};
  return made;
}

SSL_CTX* client_tls(Way way) {
  if (way == kPlain) return nullptr;
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  if (way == kTls) return context;
  const auto bio = [](const std::string& pem) {
    return BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  };
  BIO* const certificate = bio(authority().client.certificate);
  BIO* const key = bio(authority().client.key);
  X509* const x509 = PEM_read_bio_X509(certificate, nullptr, nullptr, nullptr);
  EVP_PKEY* const pkey = PEM_read_bio_PrivateKey(key, nullptr, nullptr, nullptr);
  if (SSL_CTX_use_certificate(context, x509) != 1 || SSL_CTX_use_PrivateKey(context, pkey) != 1)
    std::abort();
  X509_free(x509);
  EVP_PKEY_free(pkey);
  BIO_free(certificate);
  BIO_free(key);
  return context;
}

void more_descriptors() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// 32 connections, each with one request after another. An iteration is 10,000 answers.
void get(benchmark::State& state) {
  const Way way = static_cast<Way>(state.range(0));
  Child child([&](std::uint16_t port, const auto& ready) {
    SSL_CTX* const context = client_tls(way);
    std::vector<std::unique_ptr<Connection>> connections;
    for (int i = 0; i < 32; ++i) connections.push_back(std::make_unique<Connection>(port, context));
    ready();
    for (const auto& one : connections) one->send(kGet);
    for (;;)
      for (const auto& one : connections) {
        one->read();  // a small answer is one record
        one->send(kGet);
      }
  });
  const auto handler = std::make_shared<Answers>();
  const auto server = *Server::start(options(way), handler);
  child.start(server->ports()[0]);
  child.wait_ready();
  const double begin = cpu_seconds();
  const std::uint64_t first = handler->count;
  for (auto _ : state) {
    constexpr std::uint64_t kBatch = 10'000;
    const std::uint64_t until = handler->count + kBatch;
    while (handler->count < until) ::usleep(500);
  }
  const auto answered = static_cast<double>(handler->count - first);
  state.counters["answers/s"] = benchmark::Counter(answered, benchmark::Counter::kIsRate);
  state.counters["server_us"] = (cpu_seconds() - begin) / answered * 1e6;
}
BENCHMARK(get)->ArgName("tls")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);

// Sends one event of 1 KB to a thousand streams, until all of it is written to the sockets.
void fan_out(benchmark::State& state) {
  constexpr std::size_t kStreams = 1000;
  more_descriptors();
  const Way way = static_cast<Way>(state.range(0));
  Child child([&](std::uint16_t port, const auto& ready) {
    SSL_CTX* const context = client_tls(way);
    std::vector<std::unique_ptr<Connection>> connections;
    std::vector<pollfd> waits;
    for (std::size_t i = 0; i < kStreams; ++i) {
      connections.push_back(std::make_unique<Connection>(port, context));
      connections.back()->send(kGet);
      connections.back()->read();
      waits.push_back({connections.back()->fd(), POLLIN, 0});
    }
    ready();
    char bytes[65536];  // the records are not decrypted: only the server is measured
    for (;;) {
      ::poll(waits.data(), waits.size(), -1);
      for (const pollfd& wait : waits)
        if (wait.revents != 0 && ::recv(wait.fd, bytes, sizeof bytes, MSG_DONTWAIT) == 0) return;
    }
  });
  const auto handler = std::make_shared<Watches>();
  const auto server = *Server::start(options(way), handler);
  child.start(server->ports()[0]);
  handler->wait_for(kStreams);
  child.wait_ready();
  const auto streams = handler->streams.with([](auto& all) { return all; });
  const auto event = std::make_shared<const std::string>(1024, 'e');
  for (auto _ : state) {
    for (const auto& stream : streams) stream->write(event);
    for (const auto& stream : streams)
      while (stream->waiting() > 0) ::usleep(50);
  }
  state.counters["events/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * streams.size()), benchmark::Counter::kIsRate);
}
BENCHMARK(fan_out)->ArgName("tls")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);

void idle_streams(benchmark::State& state) {
  constexpr std::size_t kStreams = 10'000;
  more_descriptors();
  const Way way = static_cast<Way>(state.range(0));
  for (auto _ : state) {
    Child child([&](std::uint16_t port, const auto& ready) {
      SSL_CTX* const context = client_tls(way);
      std::vector<std::unique_ptr<Connection>> connections;
      for (std::size_t i = 0; i < kStreams; ++i) {
        connections.push_back(std::make_unique<Connection>(port, context));
        connections.back()->send(kGet);
        connections.back()->read();
      }
      ready();
      ::pause();
    });
    const auto handler = std::make_shared<Watches>();
    const auto server = *Server::start(options(way), handler);
    const double before = resident_bytes();
    child.start(server->ports()[0]);
    child.wait_ready();
    handler->wait_for(kStreams);
    state.counters["MB"] = (resident_bytes() - before) / 1e6;
  }
}
BENCHMARK(idle_streams)
    ->ArgName("tls")
    ->DenseRange(kPlain, kTlsWithCertificate)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace portico::http
