// CPU time of the server itself, without HTTP, TLS and the disk: per request for each verb, and for
// delivering an event to a thousand watches.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "access/request.h"
#include "apiserver/server.h"
#include "apiserver/watching.h"
#include "http/memory_stream.h"
#include "store/embedded.h"

namespace portico::apiserver {
namespace {

using json::Value;

constexpr const char* kConfigMaps = "/api/v1/namespaces/default/configmaps";
constexpr const char* kRevisions =
    "/apis/porch.kpt.dev/v1alpha1/namespaces/default/packagerevisions";
constexpr int kMany = 10'000;

struct Admin : Authenticator {
  Result<access::User> who(const http::Request&) override {
    return access::User{.name = "admin",
                        .groups = {std::string(access::kMasters), "system:authenticated"}};
  }
  Result<ReviewedToken> review(std::string_view, const std::vector<std::string>&) override {
    return invalid("no tokens").because(Reason::kUnauthorized);
  }
};

struct World {
  World() : registry(std::move(*store::open_embedded({}))) {
    server = std::move(*make_server({.registry = *registry, .authenticator = admin, .clock = clock},
                                    {"server", "bench"}));
  }

  std::string ask(const char* method, std::string target, std::string body = "",
                  const char* type = "application/json", const char* accept = "application/json") {
    http::Request request;
    request.method = method;
    request.target = std::move(target);
    request.headers.set("Accept", accept);
    request.headers.set("User-Agent", "bench");
    if (!body.empty()) request.headers.set("Content-Type", type);
    request.body = std::move(body);
    request.peer = std::make_shared<http::Peer>();
    const http::Answer answer = server->handle(std::move(request));
    const auto& response = std::get<http::Response>(answer);
    if (response.status >= 300) std::abort();
    return response.body;
  }

  SystemClock clock;
  Admin admin;
  std::unique_ptr<registry::Registry> registry;
  std::unique_ptr<http::Handler> server;
};

std::string config_map(const std::string& name) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}","labels":{{"app":"load"}}}},)"
      R"("data":{{"value":"{}"}}}})",
      name, std::string(100, 'x'));
}

// A published package in a repository with many packages.
Value revision(int n) {
  const std::string package = "p" + std::to_string(n);
  const Value lock = Value::object({{"repo", "/srv/git/many.git"},
                                    {"directory", package},
                                    {"ref", package + "/v1"},
                                    {"commit", "0123456789012345678901234567890123456789"}});
  return Value::object({{"apiVersion", "porch.kpt.dev/v1alpha1"}, {"kind", "PackageRevision"}})
      .with("metadata",
            Value::object({{"name", "many." + package + ".v1"},
                           {"namespace", "default"},
                           {"labels", Value::object({{"kpt.dev/latest-revision", "true"}})}}))
      .with("spec", Value::object({{"lifecycle", "Published"},
                                   {"packageName", package},
                                   {"repository", "many"},
                                   {"revision", 1},
                                   {"workspaceName", "v1"}}))
      .with("status", Value::object({{"publishTimestamp", "2026-01-01T00:00:00Z"},
                                     {"publishedBy", "ada@example.com"},
                                     {"deployment", false},
                                     {"selfLock", Value::object({{"git", lock}})},
                                     {"tree", "0123456789012345678901234567890123456789"}}));
}

void BM_Get(benchmark::State& state) {
  World world;
  world.ask("POST", kConfigMaps, config_map("one"));
  const std::string target = std::string(kConfigMaps) + "/one";
  for (auto _ : state) benchmark::DoNotOptimize(world.ask("GET", target));
}
BENCHMARK(BM_Get);

void BM_Create(benchmark::State& state) {
  World world;
  int n = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(world.ask("POST", kConfigMaps, config_map("c" + std::to_string(n++))));
}
BENCHMARK(BM_Create)->MeasureProcessCPUTime();

void BM_Apply5kB(benchmark::State& state) {
  World world;
  const std::string target = std::string(kConfigMaps) + "/one?fieldManager=bench";
  int n = 0;
  for (auto _ : state) {
    std::string data = fmt::format("\"key-00\":\"{}\"", n++);
    for (int i = 1; i < 60; ++i)
      data += fmt::format(",\"key-{:02}\":\"{}\"", i, std::string(70, 'v'));
    benchmark::DoNotOptimize(world.ask(
        "PATCH", target,
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"},"data":{)" + data + "}}",
        "application/apply-patch+yaml"));
  }
}
BENCHMARK(BM_Apply5kB)->MeasureProcessCPUTime();

void list(benchmark::State& state, const char* query, const char* accept) {
  World world;
  std::vector<registry::Write> writes;
  for (int i = 0; i < kMany; ++i) writes.push_back({registry::Verb::kCreate, revision(i)});
  for (const auto& done : world.registry->commit_each(writes))
    if (!done) std::abort();
  std::size_t bytes = 0;
  for (auto _ : state)
    bytes = world.ask("GET", std::string(kRevisions) + query, "", "", accept).size();
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK_CAPTURE(list, Json, "", "application/json")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(list, Table, "", "application/json;as=Table;g=meta.k8s.io;v=v1")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(list, Page, "?limit=500", "application/json")->Unit(benchmark::kMillisecond);

// From a write until each of a thousand streams has its event.
void BM_Event1000Watches(benchmark::State& state) {
  World world;
  std::vector<std::shared_ptr<http::MemoryStream>> streams;
  for (int i = 0; i < 1000; ++i) {
    http::Request request;
    request.target = std::string(kConfigMaps) + "?watch=true&labelSelector=app%3Dload";
    request.headers.set("Accept", "application/json");
    request.peer = std::make_shared<http::Peer>();
    streams.push_back(std::make_shared<http::MemoryStream>());
    std::get<http::Streaming>(world.server->handle(std::move(request))).start(streams.back());
  }
  int n = 0;
  for (auto _ : state) {
    world.ask("POST", kConfigMaps, config_map("c" + std::to_string(n++)));
    for (const auto& stream : streams)
      if (stream->read(std::chrono::steady_clock::now() + std::chrono::minutes(1)).empty())
        std::abort();
  }
  for (const auto& stream : streams) stream->close();
}
BENCHMARK(BM_Event1000Watches)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace portico::apiserver
