// Every external failure heals by itself once it is fixed: by the event that announces the fix, or
// by the next retry.
#include <gmock/gmock.h>

#include <atomic>

#include "base/hash.h"
#include "base/monitor.h"
#include "base/world_error.h"
#include "controllers/all.h"
#include "controllers/manager.h"
#include "controllers/repository.h"
#include "controllers/tests/fleet_script.h"
#include "controllers/tests/passing_store.h"
#include "controllers/variant.h"

namespace portico::controllers {
namespace {

using json::Value;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Errors that replace the answers until they are reset.
struct Fault {
  std::optional<Error> of_saves, of_syncs, of_functions;
};

class FaultyStore : public PassingStore {
 public:
  FaultyStore(packages::PackageStore& below, Monitor<Fault>& fault)
      : PassingStore(below), fault_(fault) {}

  Result<Value> save(const packages::SaveRequest& request) override {
    const auto fault = fault_.with([](const Fault& now) { return now.of_saves; });
    if (fault && request.repository == "edge") return *fault;
    return below_.save(request);
  }
  Result<packages::Synced> sync(const Value& repository) override {
    const auto fault = fault_.with([](const Fault& now) { return now.of_syncs; });
    if (fault && krm::name_of(repository) == "edge") return *fault;
    return below_.sync(repository);
  }

 private:
  Monitor<Fault>& fault_;
};

class FaultyRunner : public render::FunctionRunner {
 public:
  FaultyRunner(const render::FunctionRunner& below, Monitor<Fault>& fault)
      : below_(below), fault_(fault) {}

  Result<render::FunctionOutcome> run(const render::FunctionRef& function,
                                      krm::ResourceList input) const override {
    if (const auto fault = fault_.with([](const Fault& now) { return now.of_functions; }))
      return *fault;
    return below_.run(function, std::move(input));
  }

 private:
  const render::FunctionRunner& below_;
  Monitor<Fault>& fault_;
};

class Heals : public ::testing::Test {
 protected:
  Heals() {
    for (const char* name : {"up", "edge"}) {
      fleet_.make_git(name);
      fleet_.commit(name, "main", {{"README.md", "a repository\n"}});
      fleet_.store_new(fleet_.repository_object(name, name));
    }
    fleet_.commit("up", "main",
                  {{"web/Kptfile",
                    "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n"
                    "pipeline:\n  mutators:\n  - image: set-labels:v0.2.0\n"
                    "    configMap: {app: web}\n"}});
  }
  void TearDown() override { manager_ = nullptr; }

  void start(seconds resync = seconds(0)) {
    manager_ = Manager::make(
        {.registry = *fleet_.registry, .log = log_, .controllers = all_controllers(world(resync))});
    drafts::must(manager_->start());
  }
  World world(seconds resync = seconds(0)) {
    return {.registry = *fleet_.registry,
            .packages = *packages_,
            .drafts = *drafts_,
            .repository_health = reach_,
            .clock = fleet_.clock,
            .workers = 2,
            .resync = resync};
  }
  void settle() {
    ASSERT_TRUE(manager_->wait_settled(seconds(60), [](const Progress&) {}));
  }
  void variant() {
    fleet_.store_new(drafts::objects_from(
        "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n"
        "metadata: {name: pv, namespace: default}\n"
        "spec: {upstream: {repo: up, package: web}, downstream: {repo: edge, package: web}}\n")[0]);
  }
  krm::ObjectKey repository() const {
    return {drafts::kRepositoryType, drafts::Fleet::kNs, "edge"};
  }
  void change(const krm::ObjectKey& key, const std::function<Value(const Value&)>& how) {
    drafts::must(fleet_.registry->commit(
        {{registry::Verb::kUpdate, how(drafts::must(fleet_.registry->get(key)))}}));
  }
  /// Status and message of the variant's Ready condition.
  std::string ready(const krm::ObjectKey& key) const {
    for (const Value& each :
         drafts::must(fleet_.registry->get(key))["status"]["conditions"].items())
      if (each["type"].as_string() == "Ready")
        return fmt::format("{} {}", each["status"].as_string(), each["message"].as_string());
    return "";
  }
  krm::ObjectKey variant_key() const { return {kVariantType, drafts::Fleet::kNs, "pv"}; }
  std::string ready() const { return ready(variant_key()); }
  Value retry(const krm::ObjectKey& key) const {
    return drafts::must(fleet_.registry->get(key))["status"]["retry"];
  }
  bool becomes_ready() const {
    const auto until = std::chrono::steady_clock::now() + seconds(60);
    while (!ready().starts_with("True") && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(milliseconds(5));
    return ready().starts_with("True");
  }
  void remedy() {
    fault_.change([](Fault& now) { now = {}; });
  }

  drafts::Fleet fleet_;
  RepositoryHealth reach_;
  Monitor<Fault> fault_{Fault()};
  FaultyStore faulty_{*fleet_.packages, fault_};
  FaultyRunner runner_{fleet_.runner, fault_};
  std::unique_ptr<packages::PackageStore> packages_ =
      reporting_to(reach_, *fleet_.registry, faulty_);
  std::unique_ptr<drafts::Drafts> drafts_ =
      drafts::make_drafts(*fleet_.registry, *packages_, runner_);
  NoLog log_;
  std::unique_ptr<Manager> manager_;
};

// All errors of the table with distinct codes: each is retried without an event.
TEST_F(Heals, ByTheNextTryWhateverTheCode) {
  const Error errors[] = {
      error_for(remedy_of_git("returned error: 503"), "git: 503"),
      error_for(remedy_of_git("returned error: 403"), "git: 403"),
      error_for(remedy_of_rejected_ref("[remote rejected] (pre-receive hook declined)"),
                "declined"),
      error_for(remedy_of_grpc(8), "RESOURCE_EXHAUSTED"),
      error_for(remedy_of_grpc(13), "INTERNAL"),
      error_for(remedy_of_no_start(EACCES), "permission"),
      conflict("the draft is there already"),  // every time
  };
  start(seconds(1));
  for (const Error& error : errors) {
    SCOPED_TRACE(error.text());
    fault_.change([&](Fault& now) { now.of_saves = error; });
    variant();
    settle();
    EXPECT_THAT(ready(), ::testing::StartsWith("False"));
    EXPECT_THAT(ready(), ::testing::HasSubstr(error.text()));
    EXPECT_GE(retry(variant_key())["failures"].as_int(), 1);
    remedy();
    EXPECT_TRUE(becomes_ready()) << ready();
    EXPECT_TRUE(retry(variant_key()).is_null());
    const krm::ObjectKey key = variant_key();
    drafts::must(fleet_.registry->commit(
        {{registry::Verb::kDelete,
          drafts::must(fleet_.registry->get(key)).without_at({"metadata", "resourceVersion"})}}));
    settle();
    ASSERT_FALSE(fleet_.registry->get(key));
  }
}

TEST_F(Heals, AtOnceWhenTheRepositoryChanges) {
  fault_.change([](Fault& now) { now.of_saves = refused("hook declined"); });
  start();
  variant();
  settle();
  EXPECT_THAT(ready(), ::testing::HasSubstr("hook declined"));
  remedy();
  change(repository(), [](const Value& object) {
    return object.with_at({"spec", "description"}, "the hook is gone");
  });
  settle();
  EXPECT_THAT(ready(), ::testing::StartsWith("True"));
}

TEST_F(Heals, AtOnceWhenASecretChanges) {
  const auto secret = [](const char* password) {
    return drafts::objects_from(fmt::format(
        "{{apiVersion: v1, kind: Secret, metadata: {{name: login, namespace: default}},\n"
        " type: kubernetes.io/basic-auth, data: {{username: {}, password: {}}}}}\n",
        base64_encode("bot"), base64_encode(password)))[0];
  };
  fleet_.store_new(secret("old"));
  change(repository(), [](const Value& object) {
    return object.with_at({"spec", "git", "secretRef", "name"}, "login");
  });
  fault_.change([](Fault& now) { now.of_saves = refused("Authentication failed"); });
  start();
  variant();
  settle();
  EXPECT_THAT(ready(), ::testing::HasSubstr("Authentication failed"));
  remedy();
  change({{"", "Secret"}, drafts::Fleet::kNs, "login"},
         [&](const Value& object) { return object.with("data", secret("new")["data"]); });
  settle();
  EXPECT_THAT(ready(), ::testing::StartsWith("True"));
}

TEST_F(Heals, AtOnceWhenAFunctionConfigChanges) {
  fault_.change([](Fault& now) { now.of_functions = refused("\"f\" took longer than 300 s"); });
  start();
  variant();
  settle();
  EXPECT_THAT(ready(), ::testing::HasSubstr("took longer"));
  remedy();
  fleet_.store_new(drafts::objects_from(
      "{apiVersion: config.porch.kpt.dev/v1alpha1, kind: FunctionConfig,\n"
      " metadata: {name: set-labels, namespace: default}, spec: {image: set-labels}}\n")[0]);
  settle();
  EXPECT_THAT(ready(), ::testing::StartsWith("True"));
}

// Restored access is noticed only by reading the repository.
TEST_F(Heals, WhenTheRepositoryIsReadyAgain) {
  start(seconds(1));
  settle();
  fault_.change([](Fault& now) {
    now.of_syncs = refused("error: 403");
    now.of_saves = refused("error: 403");
  });
  variant();
  const auto until = std::chrono::steady_clock::now() + seconds(60);
  while (!ready(repository()).starts_with("False") && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(milliseconds(5));
  EXPECT_THAT(ready(repository()), ::testing::HasSubstr("error: 403"));
  EXPECT_GE(retry(repository())["failures"].as_int(), 1);
  settle();
  remedy();
  EXPECT_TRUE(becomes_ready()) << ready();
  settle();
  EXPECT_TRUE(retry(repository()).is_null());
  EXPECT_THAT(ready(repository()), ::testing::StartsWith("True"));
}

TEST_F(Heals, WhatFailsAgainAndAgainIsWrittenDownEverMoreRarely) {
  start();
  settle();
  manager_ = nullptr;
  fault_.change([](Fault& now) {
    now.of_saves = refused("hook declined");
    now.of_syncs = refused("error: 403");
  });
  variant();
  const World world = this->world();
  Caches caches;
  std::map<std::string, std::vector<int>> written;
  const auto look = [&](const krm::ObjectKey& key, int failures, const auto& reconcile) {
    const auto version = [&] {
      return std::string(
          drafts::must(fleet_.registry->get(key))["metadata"]["resourceVersion"].as_string());
    };
    const std::string before = version();
    EXPECT_FALSE(reconcile(work::Run{.id = "run", .failures = failures}));
    if (version() != before) written[key.name].push_back(failures + 1);
  };
  for (int failures = 0; failures < 20; ++failures) {
    look(variant_key(), failures, [&](const work::Run& run) {
      return reconcile_variant(variant_key(), world, caches, run);
    });
    look(repository(), failures, [&](const work::Run& run) {
      return sync_repository(repository(), world, seconds(60), run, failures);
    });
  }
  EXPECT_THAT(written["pv"], ::testing::ElementsAre(1, 2, 4, 8, 16));
  EXPECT_THAT(written["edge"], ::testing::ElementsAre(1, 2, 4, 8, 16));
  EXPECT_EQ(retry(repository())["next"].as_string(), rfc3339(fleet_.clock.now() + seconds(60)));

  // A try that is not repeated, as in a plan, is not counted.
  const Value before = retry(variant_key());
  EXPECT_FALSE(reconcile_variant(variant_key(), world, caches));
  EXPECT_EQ(retry(variant_key()), before);
}

TEST_F(Heals, VariantsCountTheTriesOfARepositoryThatDoesNotAnswer) {
  start();
  settle();
  manager_ = nullptr;
  fault_.change([](Fault& now) { now.of_saves = unavailable("no route to host"); });
  variant();
  work::Instant time{};
  RepositoryHealth repository_health({}, [&] { return time; });
  const auto packages = reporting_to(repository_health, *fleet_.registry, faulty_);
  const auto drafts = drafts::make_drafts(*fleet_.registry, *packages, runner_);
  const World world{.registry = *fleet_.registry,
                    .packages = *packages,
                    .drafts = *drafts,
                    .repository_health = repository_health,
                    .clock = fleet_.clock};
  Caches caches;
  const work::Run run{.id = "run"};
  for (int tries = 1; tries <= 2; ++tries) {
    EXPECT_FALSE(reconcile_variant(variant_key(), world, caches, run))
        << "it is the one that tries";
    EXPECT_EQ(retry(variant_key())["failures"].as_int(), tries);
    const auto looked = reconcile_variant(variant_key(), world, caches, run);
    EXPECT_TRUE(looked && looked->after) << "it is not the time";
    EXPECT_EQ(retry(variant_key())["failures"].as_int(), tries);
    time += repository_health.wait(drafts::Fleet::kNs, "edge");
  }
}

TEST(Matters, ARepositoryThatIsReadyAgainDoesAndOneThatFailsDoesNot) {
  const auto repository = [](const char* status) {
    return drafts::objects_from(fmt::format(
        "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\n"
        "metadata: {{name: edge, namespace: default}}\n"
        "status: {{lastFullSyncTime: x, conditions: [{{type: Ready, status: \"{}\"}}]}}\n",
        status))[0];
  };
  const auto event = [&](const char* before, const char* now) {
    return registry::Event{registry::Change::kModified, repository(now), repository(before), 2};
  };
  EXPECT_TRUE(matters(event("False", "True")));
  EXPECT_FALSE(matters(event("True", "False")));
  EXPECT_FALSE(matters(event("True", "True")));
}

}  // namespace
}  // namespace portico::controllers
