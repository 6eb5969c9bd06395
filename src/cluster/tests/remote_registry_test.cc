// The contract of registry.h, as far as an API can keep it: of the embedded store; and with and
// without a local copy over Portico's server in this process, and over a real kube-apiserver if
// $KUBECONFIG names one.
#include "cluster/remote_registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "apiserver/server.h"
#include "cluster/mirror.h"
#include "http/server.h"
#include "kubeconfig/connect.h"
#include "store/embedded.h"
#include "testing/cases.h"

namespace portico::cluster {
namespace {

using json::Value;
using registry::Change;
using registry::Verb;

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return *std::move(result);
}

class Anybody : public apiserver::Authenticator {
 public:
  Result<access::User> who(const http::Request&) override {
    return access::User{.name = "admin", .groups = {"system:masters"}};
  }
  Result<apiserver::ReviewedToken> review(std::string_view,
                                          const std::vector<std::string>&) override {
    return invalid("there are no tokens").because(Reason::kUnauthorized);
  }
};

class RemoteRegistryTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string_view(GetParam()) == "embedded") {
      registry_ = must(store::open_embedded({.indexes = indexes()}));
    } else if (std::string_view(GetParam()).starts_with("ours")) {
      store_ = must(store::open_embedded({}));
      std::shared_ptr<http::Handler> handler = must(
          apiserver::make_server({.registry = *store_, .authenticator = anybody_, .clock = clock_},
                                 {.address = "server", .version = "test"}));
      http::Options options;
      options.listeners = {{.tls = false, .unix_path = (dir_.path() / "sock").string()}};
      server_ = must(http::Server::start(std::move(options), handler));
      connect({.server = "http://server", .unix_socket = (dir_.path() / "sock").string()});
    } else {
      const char* const files = std::getenv("KUBECONFIG");
      if (files == nullptr) GTEST_SKIP() << "$KUBECONFIG names no server";
      const auto config = must(kubeconfig::load({files}));
      connect(must(kubeconfig::connect(must(kubeconfig::choose(config, "")), clock_)).client);
    }
    // A separate namespace; deleting it removes everything left in it.
    const Value made = must(registry_->commit(
        {{Verb::kCreate, json_of("Namespace", "")
                             .with("metadata", Value::object({{"generateName", "remote-"}}))}}))[0];
    ns_ = krm::name_of(made);
  }

  void TearDown() override {
    if (!ns_.empty()) (void)registry_->commit({{Verb::kDelete, json_of("Namespace", ns_)}});
    registry_.reset();
    if (server_) server_->stop(std::chrono::seconds(1));
  }

  void connect(http::ClientOptions options) {
    api_ = std::make_unique<Api>(must(http::Client::make(std::move(options))), ApiOptions{});
    registry_ = std::string_view(GetParam()).ends_with("mirror")
                    ? make_mirror(*api_, {.indexes = indexes(), .page = 2})
                    : make_remote_registry(*api_, {.indexes = indexes(), .page = 2});
  }
  static std::vector<registry::IndexedField> indexes() {
    return {{{"", "ConfigMap"}, "colour", {{"data", "colour"}}}};
  }

  static Value json_of(const char* kind, const std::string& name) {
    return Value::object(
        {{"apiVersion", "v1"}, {"kind", kind}, {"metadata", Value::object({{"name", name}})}});
  }
  Value map(const std::string& name, const std::string& colour) const {
    return json_of("ConfigMap", name)
        .with_at({"metadata", "namespace"}, ns_)
        .with_at({"metadata", "labels"}, Value::object({{"colour", colour}}))
        .with("data", Value::object({{"colour", colour}}));
  }
  krm::ObjectKey key(const std::string& name) const { return {{"", "ConfigMap"}, ns_, name}; }
  // A mirror shows objects without managedFields.
  static Value as_read(const Value& written) {
    return std::string_view(GetParam()).ends_with("mirror")
               ? written.without_at({"metadata", "managedFields"})
               : written;
  }
  std::vector<std::string> names(const registry::Query& query) const {
    std::vector<std::string> out;
    for (const Value& each : must(registry_->list(query)).objects)
      if (krm::name_of(each) != "kube-root-ca.crt") out.emplace_back(krm::name_of(each));
    return out;
  }
  // Waits for the next `count` events.
  static std::vector<std::string> waited(registry::Watch& watch, std::size_t count) {
    std::vector<std::string> out;
    for (int i = 0; i < 100 && out.size() < count; ++i)
      for (const registry::Event& event : must(watch.next(std::chrono::milliseconds(100)))) {
        if (krm::name_of(event.object) == "kube-root-ca.crt") continue;
        const char* const word = event.change == Change::kAdded      ? "added "
                                 : event.change == Change::kModified ? "modified "
                                                                     : "deleted ";
        out.push_back(word + std::string(krm::name_of(event.object)));
      }
    return out;
  }

  SystemClock clock_;
  portico::testing::TempDir dir_;
  Anybody anybody_;
  std::unique_ptr<registry::Registry> store_;
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<Api> api_;
  std::unique_ptr<registry::Registry> registry_;
  std::string ns_;
};

TEST_P(RemoteRegistryTest, WritesAndReads) {
  const auto made = must(registry_->commit({{Verb::kCreate, map("a", "red")},
                                            {Verb::kCreate, map("b", "blue")},
                                            {Verb::kCreate, map("c", "red")}}));
  ASSERT_EQ(made.size(), 3u);
  EXPECT_FALSE(krm::uid_of(made[0]).empty());
  EXPECT_EQ(must(registry_->get(key("a"))), as_read(made[0]));
  EXPECT_EQ(names({.type = {"", "ConfigMap"}, .ns = ns_}),
            (std::vector<std::string>{"a", "b", "c"}))
      << "whatever the size of a page";
  EXPECT_EQ(names({.type = {"", "ConfigMap"},
                   .ns = ns_,
                   .labels = must(krm::LabelSelector::parse("colour in (red),!none"))}),
            (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(names({.type = {"", "ConfigMap"}, .ns = ns_, .fields = {{"colour", "blue"}}}),
            (std::vector<std::string>{"b"}));
  EXPECT_EQ(names({.type = {"", "ConfigMap"}, .ns = ns_, .name = "c"}),
            (std::vector<std::string>{"c"}));
  const auto page = must(registry_->list({.type = {"", "ConfigMap"}, .ns = ns_, .limit = 1}));
  EXPECT_EQ(page.objects.size(), 1u);
  EXPECT_FALSE(page.next.empty());
  EXPECT_FALSE(registry_->list({.type = {"", "ConfigMap"}, .fields = {{"shape", "round"}}}).ok());
}

TEST_P(RemoteRegistryTest, AMirrorKeepsEqualPartsOfObjectsOnce) {
  if (!std::string_view(GetParam()).ends_with("mirror")) GTEST_SKIP() << "keeps no objects";
  must(registry_->commit({{Verb::kCreate, map("a", "red")}, {Verb::kCreate, map("b", "red")}}));
  const Value a = must(registry_->get(key("a"))), b = must(registry_->get(key("b")));
  EXPECT_TRUE(b["data"].same_as(a["data"]));
  EXPECT_TRUE(b["metadata"]["labels"].same_as(a["metadata"]["labels"]));
}

TEST_P(RemoteRegistryTest, AMirrorDoesNotFollowDirectKinds) {
  if (!std::string_view(GetParam()).ends_with("mirror")) GTEST_SKIP() << "follows no kinds";
  const auto mirror = make_mirror(*api_, {.direct = {{"", "ConfigMap"}}});
  must(mirror->commit({{Verb::kCreate, map("a", "red")}}));
  EXPECT_EQ(must(mirror->get(key("a")))["data"], map("a", "red")["data"]);
  EXPECT_EQ(mirror->get(key("none")).error().code, Code::kNotFound);
  EXPECT_FALSE(must(mirror->list({.type = {"", "ConfigMap"}, .ns = ns_})).objects.empty());
  EXPECT_TRUE(mirror->kinds().empty());
}

TEST_P(RemoteRegistryTest, AMirrorKeepsTheMetadataOfOtherKindsAlone) {
  if (std::string_view(GetParam()).find("mirror") == std::string_view::npos)
    GTEST_SKIP() << "for mirrors";
  const krm::GroupKind type{"", "ConfigMap"};
  const Value red = must(registry_->commit({{Verb::kCreate, map("a", "red")}}))[0];
  const auto mirror = make_mirror(*api_, {.metadata_of_others = true});
  const auto listed = [&](const registry::Registry& registry) {
    for (const Value& each : must(registry.list({.type = type, .ns = ns_})).objects)
      if (krm::name_of(each) == "a") return each;
    return Value();
  };
  const auto colour = [&](const registry::Registry& registry) {
    return std::string(must(registry.get(key("a")))["data"]["colour"].as_string());
  };
  EXPECT_FALSE(listed(*mirror).contains("data"));
  EXPECT_EQ(listed(*mirror)["metadata"]["labels"], red["metadata"]["labels"]);
  EXPECT_EQ(colour(*mirror), "red");

  const auto watch = mirror->watch({.type = type, .ns = ns_}, mirror->version(), {});
  must(registry_->commit({{Verb::kUpdate, red.with_at({"data", "colour"}, "green")}}));
  EXPECT_EQ(waited(*watch, 1), std::vector<std::string>{"modified a"}) << "of the content alone";
  EXPECT_EQ(colour(*mirror), "green");
  EXPECT_EQ(colour(*must(mirror->fork())), "green");

  const Value green = must(mirror->get(key("a")));
  const Value blue =
      must(mirror->commit({{Verb::kUpdate, green.with_at({"data", "colour"}, "blue")}}))[0];
  EXPECT_EQ(blue["data"]["colour"].as_string(), "blue");
  EXPECT_FALSE(listed(*mirror).contains("data"));
  EXPECT_EQ(colour(*mirror), "blue");

  const auto whole = make_mirror(*api_, {.metadata_of_others = true, .whole = {type}});
  EXPECT_EQ(listed(*whole)["data"]["colour"].as_string(), "blue");

  must(registry_->commit({{Verb::kDelete, blue}}));
  EXPECT_EQ(waited(*watch, 2), (std::vector<std::string>{"modified a", "deleted a"}));
  const auto gone = mirror->get(key("a"));
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, Code::kNotFound);
}

TEST_P(RemoteRegistryTest, RefusesAsTheContractSays) {
  EXPECT_EQ(registry_->get(key("none")).error().code, Code::kNotFound);
  EXPECT_EQ(registry_->get({{"example.com", "Nothing"}, ns_, "x"}).error().code, Code::kNotFound);
  const Value made = must(registry_->commit({{Verb::kCreate, map("a", "red")}}))[0];
  EXPECT_EQ(registry_->commit({{Verb::kCreate, map("a", "red")}}).error().reason,
            Reason::kAlreadyExists);
  const Value moved =
      must(registry_->commit({{Verb::kUpdate, made.with_at({"data", "colour"}, "green")}}))[0];
  const auto stale = registry_->commit({{Verb::kUpdate, made.with_at({"data", "colour"}, "grey")}});
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.error().code, Code::kConflict);
  EXPECT_EQ(stale.error().where.back(), key("a").text());
  EXPECT_EQ(must(registry_->commit({{Verb::kUpdate, map("a", "white")}}))[0]["data"]["colour"],
            Value("white"))
      << "without a version it goes through";
  EXPECT_EQ(registry_->commit({{Verb::kDelete, moved}}).error().code, Code::kConflict);
  EXPECT_EQ(krm::name_of(must(registry_->commit({{Verb::kDelete, map("a", "")}}))[0]), "a");
  EXPECT_EQ(registry_->commit({{Verb::kDelete, map("a", "")}}).error().code, Code::kNotFound);
}

TEST_P(RemoteRegistryTest, TriesWithoutWriting) {
  const Value tried = must(registry_->dry_run({{Verb::kCreate, map("a", "red")}}))[0];
  EXPECT_EQ(krm::resource_version_of(tried), 0u);
  EXPECT_EQ(registry_->get(key("a")).error().code, Code::kNotFound);
  const auto each = registry_->commit_each({{Verb::kCreate, map("a", "red")},
                                            {Verb::kCreate, map("a", "red")},
                                            {Verb::kCreate, map("b", "red")}});
  EXPECT_TRUE(each[0].ok());
  EXPECT_EQ(each[1].error().reason, Reason::kAlreadyExists);
  EXPECT_TRUE(each[2].ok());
}

TEST_P(RemoteRegistryTest, WatchesInOrder) {
  const auto from = must(registry_->list({.type = {"", "ConfigMap"}, .ns = ns_})).version;
  const auto all = registry_->watch({.type = {"", "ConfigMap"}, .ns = ns_}, from);
  const auto red =
      registry_->watch({.type = {"", "ConfigMap"}, .ns = ns_, .fields = {{"colour", "red"}}}, from);
  must(registry_->commit({{Verb::kCreate, map("a", "red")},
                          {Verb::kUpdate, map("a", "blue")},
                          {Verb::kCreate, map("b", "red")},
                          {Verb::kDelete, map("a", "")}}));
  EXPECT_EQ(waited(*red, 3), (std::vector<std::string>{"added a", "deleted a", "added b"}))
      << "what does not meet the query any more is gone";
  EXPECT_EQ(waited(*all, 4),
            (std::vector<std::string>{"added a", "modified a", "added b", "deleted a"}));
  EXPECT_GE(all->version(), from);
  all->stop();
  EXPECT_TRUE(must(all->next(std::chrono::seconds(10))).empty());
}

TEST_P(RemoteRegistryTest, ForksIntoMemory) {
  must(registry_->commit({{Verb::kCreate, map("a", "red")}}));
  EXPECT_EQ(names({.type = {"", "ConfigMap"}, .ns = ns_}), std::vector<std::string>{"a"});
  const auto fork = must(registry_->fork());
  EXPECT_EQ(must(fork->get(key("a"))), must(registry_->get(key("a"))));
  must(fork->commit({{Verb::kDelete, map("a", "")}}));
  EXPECT_TRUE(registry_->get(key("a")).ok());
  const auto kinds = registry_->kinds();
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), krm::GroupKind{"", "ConfigMap"}), kinds.end());
  EXPECT_GT(registry_->version(), 0u);
}

// For a mirror, which decides what to show of the objects that it follows.
TEST_P(RemoteRegistryTest, DoesNotHideWhatItHasShown) {
  if (!api_) GTEST_SKIP() << "with an API";
  const auto mirror = make_mirror(*api_, {.shown = [](const Value& object) {
    return object["data"].contains("half") ? Value() : object;
  }});
  const auto watch = mirror->watch({.type = {"", "ConfigMap"}, .ns = ns_}, mirror->version());
  const auto half = [&](const std::string& name) {
    return map(name, "green").with_at({"data", "half"}, "made");
  };
  must(registry_->commit({{Verb::kCreate, half("late")}, {Verb::kCreate, map("a", "red")}}));
  EXPECT_EQ(waited(*watch, 1), std::vector<std::string>{"added a"});
  must(registry_->commit({{Verb::kUpdate, half("a")},
                          {Verb::kUpdate, map("late", "red")},
                          {Verb::kUpdate, map("a", "blue")}}));
  EXPECT_EQ(waited(*watch, 2), (std::vector<std::string>{"added late", "modified a"}));
  EXPECT_EQ(must(mirror->get(key("a")))["data"]["colour"].as_string(), "blue");
  must(registry_->commit({{Verb::kUpdate, half("a")}, {Verb::kDelete, map("a", "")}}));
  EXPECT_EQ(waited(*watch, 1), std::vector<std::string>{"deleted a"});
}

// A client with a given number of dead streams, on which nothing arrives any more.
class Deaf : public http::Client {
 public:
  explicit Deaf(std::unique_ptr<http::Client> below) : below_(std::move(below)) {}
  Result<http::Response> send(const http::Call& call) override { return below_->send(call); }
  Result<http::Response> stream(const http::Call& call, const Take& take) override {
    const int mine = ++begun;
    return below_->stream(
        call, [&](std::string_view piece) { return mine <= deaf.load() || take(piece); });
  }
  std::atomic<int> begun = 0, deaf = 0;

 private:
  std::unique_ptr<http::Client> below_;
};

// For a mirror.
TEST_P(RemoteRegistryTest, ListensAgain) {
  if (!server_) GTEST_SKIP() << "with the server of the test";
  auto client = std::make_unique<Deaf>(must(http::Client::make(
      {.server = "http://server", .unix_socket = (dir_.path() / "sock").string()})));
  Deaf& ears = *client;
  Api api(std::move(client), {});
  const auto mirror = make_mirror(api, {.reflector = {.least_wait = std::chrono::milliseconds(1)}});
  const auto watch = mirror->watch({.type = {"", "ConfigMap"}, .ns = ns_}, mirror->version());
  must(registry_->commit({{Verb::kCreate, map("a", "red")}}));
  EXPECT_EQ(waited(*watch, 1), std::vector<std::string>{"added a"});
  while (ears.begun == 0) std::this_thread::yield();  // the object may have come with the list
  ears.deaf = ears.begun.load();
  must(registry_->commit({{Verb::kCreate, map("b", "red")}, {Verb::kDelete, map("a", "")}}));
  EXPECT_TRUE(must(watch->next(std::chrono::milliseconds(50))).empty());
  mirror->listen_again();
  EXPECT_EQ(waited(*watch, 2), (std::vector<std::string>{"added b", "deleted a"}));
}

// A client of an API server that has just started and knows no permissions.
class Forbidden : public http::Client {
 public:
  explicit Forbidden(std::unique_ptr<http::Client> below) : below_(std::move(below)) {}
  Result<http::Response> send(const http::Call& call) override {
    if (call.method == "GET") return below_->send(call);
    return http::Response{.status = 403,
                          .body = R"({"kind": "Status", "code": 403, "reason": "Forbidden",)"
                                  R"( "message": "configmaps is forbidden: no rights"})"};
  }
  Result<http::Response> stream(const http::Call& call, const Take& take) override {
    return below_->stream(call, take);
  }

 private:
  std::unique_ptr<http::Client> below_;
};

// For a mirror, through which controllers write: they must not wait for an event, which would never
// come.
TEST_P(RemoteRegistryTest, WhatIsForbiddenMayPass) {
  if (!server_) GTEST_SKIP() << "with the server of the test";
  Api api(std::make_unique<Forbidden>(must(http::Client::make(
              {.server = "http://server", .unix_socket = (dir_.path() / "sock").string()}))),
          {});
  const auto refused = make_mirror(api, {})->commit({{Verb::kCreate, map("a", "red")}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_EQ(refused.error().reason, Reason::kForbidden);
}

class Busy : public http::Handler {
 public:
  http::Answer handle(http::Request) override {
    ++asked;
    http::Response out{.status = 429, .body = "{}"};
    out.headers.set("Retry-After", "0");
    return out;
  }
  std::atomic<int> asked = 0;
};

TEST(Api, HasOneTimeForAllItsTries) {
  const portico::testing::TempDir dir;
  const std::string path = (dir.path() / "sock").string();
  const auto busy = std::make_shared<Busy>();
  http::Options options;
  options.listeners = {{.tls = false, .unix_path = path}};
  const auto server = must(http::Server::start(std::move(options), busy));
  int times = 0;
  Api api(must(http::Client::make({.server = "http://server", .unix_socket = path})), {.time = [&] {
            ++times;
            return std::chrono::milliseconds(60'000);
          }});
  EXPECT_FALSE(api.call("GET", "/version", Value()));
  EXPECT_GT(busy->asked, 1);
  EXPECT_EQ(times, 1);
  server->stop(std::chrono::seconds(1));
}

INSTANTIATE_TEST_SUITE_P(Servers, RemoteRegistryTest,
                         ::testing::Values("embedded", "ours", "ours_mirror", "kubernetes",
                                           "kubernetes_mirror"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace portico::cluster
