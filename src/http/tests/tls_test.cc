// The server under TLS: certificates, reload, many connections at once.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "http/client.h"
#include "http/tests/fixture.h"
#include "identity/certificates.h"

namespace portico::http {
namespace {

using identity::CertificateAuthority;
using identity::KeyPair;
using std::chrono::hours;

TimePoint now() { return SystemClock().now(); }

CertificateAuthority authority() { return *CertificateAuthority::make("test-ca", now()); }

Tls server_tls(const CertificateAuthority& ca, const std::string& name = "127.0.0.1") {
  const KeyPair pair = *ca.issue_server({name}, now(), hours(1));
  return {.certificate = pair.certificate, .key = pair.key, .client_ca = ca.certificate()};
}

Options tls_options(const CertificateAuthority& ca) {
  Options options;
  options.tls = server_tls(ca);
  return options;
}

ClientOptions client_options(const Server& server, const CertificateAuthority& ca) {
  return {.server = "https://127.0.0.1:" + std::to_string(server.ports()[0]),
          .tls = {.ca = ca.certificate()}};
}

Answer who(const Request& request) {
  const auto& certificate = request.peer->certificate;
  if (!certificate) return text_response(request.peer->tls ? "nobody" : "plain");
  std::string text = certificate->common_name;
  for (const std::string& one : certificate->organizations) text += "," + one;
  return text_response(text);
}

TEST(Tls, KnowsClientsByTheirCertificates) {
  const auto ca = authority();
  const auto server = started(tls_options(ca), who);
  ClientOptions options = client_options(*server, ca);
  EXPECT_EQ((*Client::make(options))->send({})->body, "nobody");
  const KeyPair ana = *ca.issue_client("ana", {"editors", "team:a"}, now(), hours(1));
  options.tls.certificate = ana.certificate;
  options.tls.key = ana.key;
  const auto client = *Client::make(options);
  EXPECT_EQ(client->send({})->body, "ana,editors,team:a");
  EXPECT_EQ(client->send({})->body, "ana,editors,team:a");
  EXPECT_EQ(server->counts().accepted, 2);
}

TEST(Tls, RefusesCertificatesOfOthers) {
  const auto ca = authority(), other = *CertificateAuthority::make("other", now());
  const auto server = started(tls_options(ca), who);
  ClientOptions options = client_options(*server, ca);
  const KeyPair eve = *other.issue_client("admin", {"system:masters"}, now(), hours(1));
  options.tls.certificate = eve.certificate;
  options.tls.key = eve.key;
  EXPECT_FALSE((*Client::make(options))->send({}));
  const KeyPair old = *ca.issue_client("ana", {}, now() - hours(5), hours(1));
  options.tls.certificate = old.certificate;
  options.tls.key = old.key;
  EXPECT_FALSE((*Client::make(options))->send({}));
  // A server's certificate is not accepted as a client's.
  const Tls servers = server_tls(ca);
  options.tls.certificate = servers.certificate;
  options.tls.key = servers.key;
  EXPECT_FALSE((*Client::make(options))->send({}));
}

TEST(Tls, IsVerifiedByTheClient) {
  const auto ca = authority(), other = *CertificateAuthority::make("other", now());
  const auto server = started(tls_options(ca), who);
  ClientOptions options = client_options(*server, other);
  const auto refused = (*Client::make(options))->send({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_EQ(refused.error().reason, Reason::kRefused) << "a person has to mend it";
  options.tls.insecure = true;
  EXPECT_TRUE((*Client::make(options))->send({}));
}

TEST(Tls, TheClientFollowsFilesThatAreReplaced) {
  const auto ca = authority(), next = *CertificateAuthority::make("next", now());
  const auto server = started(tls_options(ca), who);
  ClientOptions options = client_options(*server, ca);
  ClientTls file = options.tls;
  int looks = 0;
  options.tls_now = [&]() -> Result<ClientTls> {
    ++looks;
    return file;
  };
  const auto client = *Client::make(options);
  EXPECT_TRUE(client->send({}));
  EXPECT_EQ(looks, 0) << "not while all goes well";
  const auto later = started(tls_options(next), who);
  options.server = client_options(*later, next).server;
  const auto moved = *Client::make(options);
  EXPECT_FALSE(moved->send({}));
  EXPECT_FALSE(moved->send({})) << "the file is as it was";
  EXPECT_EQ(looks, 2);
  file.ca = ca.certificate() + next.certificate();
  const KeyPair ana = *next.issue_client("ana", {}, now(), hours(1));
  file.certificate = ana.certificate;
  EXPECT_FALSE(moved->send({})) << "half written: there is no key";
  file.key = ana.key;
  EXPECT_FALSE(moved->send({}));
  const auto answer = moved->send({});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->body, "ana");
  EXPECT_TRUE(client->send({}));
}

TEST(Tls, GoesByTheNameThatTheClientExpects) {
  const auto ca = authority();
  Options options = tls_options(ca);
  options.tls = server_tls(ca, "api.example.com");
  const auto server = started(options, [](const Request& request) {
    return text_response(std::string(request.headers.get("Host")));
  });
  ClientOptions to = client_options(*server, ca);
  EXPECT_FALSE((*Client::make(to))->send({}));
  to.tls.server_name = "api.example.com";
  const auto answer = (*Client::make(to))->send({});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->body, to.server.substr(8));
}

TEST(Tls, TakesNewCertificatesWhileItRuns) {
  const auto ca = authority(), next = *CertificateAuthority::make("next", now());
  const auto server = started(tls_options(ca), who);
  const auto before = *Client::make(client_options(*server, ca));
  EXPECT_TRUE(before->send({}));
  ASSERT_TRUE(server->set_tls(server_tls(next)));
  EXPECT_TRUE(before->send({})) << "connections that are open go on";
  EXPECT_FALSE((*Client::make(client_options(*server, ca)))->send({}));
  EXPECT_TRUE((*Client::make(client_options(*server, next)))->send({}));
  Tls mixed = server_tls(ca);
  mixed.key = server_tls(next).key;
  const auto refused = server->set_tls(mixed);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(), "TLS: the server key does not match the server certificate");
  EXPECT_FALSE(server->set_tls({.certificate = "x", .key = "y"}));
  EXPECT_TRUE((*Client::make(client_options(*server, next)))->send({}));
}

TEST(Tls, CarriesLargeBodiesBothWays) {
  const auto ca = authority();
  auto handler = std::make_shared<TestHandler>(
      [](Request request) { return text_response(std::move(request.body)); });
  handler->limit = 64u << 20;
  const auto server = started(tls_options(ca), handler);
  const auto client = *Client::make(client_options(*server, ca));
  std::string body;
  for (int i = 0; body.size() < (6u << 20); ++i) body += std::to_string(i) + " ";
  const auto answer = client->send({.method = "PUT", .target = "/", .body = body});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->headers.get("Content-Encoding"), "gzip");
  EXPECT_TRUE(answer->body == body);
}

TEST(Tls, StreamsLinesUntilSomebodyStops) {
  const auto ca = authority();
  const auto server = started(tls_options(ca), [](const Request&) {
    return Streaming{.head = text_response(""), .start = [](const std::shared_ptr<Stream>& stream) {
                       stream->on_room([stream] {
                         stream->write(std::make_shared<const std::string>("one\ntwo "));
                       });
                       stream->write(std::make_shared<const std::string>("zero\nhalf "));
                     }};
  });
  const auto client = *Client::make(client_options(*server, ca));
  std::vector<std::string> lines;
  Lines splitter(100, [&](std::string_view line) {
    lines.emplace_back(line);
    return lines.size() < 1000;
  });
  const auto ended = client->stream({.time = std::chrono::milliseconds(0)},
                                    [&](std::string_view piece) { return splitter.add(piece); });
  ASSERT_TRUE(ended) << ended.error().text();
  EXPECT_EQ(ended->status, 200);
  EXPECT_EQ(lines.size(), 1000u);
  EXPECT_EQ(lines[1], "half one");

  std::stop_source stop;
  std::size_t bytes = 0;
  std::thread stopper;
  const auto stopped =
      client->stream({.time = std::chrono::milliseconds(0), .stop = stop.get_token()},
                     [&](std::string_view piece) {
                       bytes += piece.size();
                       if (!stopper.joinable()) stopper = std::thread([&] { stop.request_stop(); });
                       return true;
                     });
  stopper.join();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Code::kUnavailable);
}

TEST(Tls, ShutsNobodyOutWhoIsSlowWithTheHandshake) {
  const auto ca = authority();
  Options options = tls_options(ca);
  options.times.handshake = std::chrono::milliseconds(100);
  const auto server = started(options, who);
  std::vector<std::unique_ptr<RawClient>> idlers;
  for (int i = 0; i < 300; ++i) {
    idlers.push_back(std::make_unique<RawClient>(server->ports()[0]));
    if (i % 2 == 1) idlers.back()->send("\x16\x03\x01");  // the beginning of a handshake
    if (i % 3 == 1) idlers.back()->send("GET / HTTP/1.1\r\n\r\n");
  }
  EXPECT_TRUE((*Client::make(client_options(*server, ca)))->send({}));
  for (const auto& idler : idlers) idler->read_all();  // all of them end
}

}  // namespace
}  // namespace portico::http
