// A repository that does not answer blocks nothing else, and is probed by one caller at a time.
#include "controllers/repository_health.h"

#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <thread>

#include "base/monitor.h"
#include "controllers/all.h"
#include "controllers/kinds.h"
#include "controllers/manager.h"
#include "controllers/tests/fleet_script.h"
#include "controllers/tests/passing_store.h"

namespace portico::controllers {
namespace {

using json::Value;
using std::chrono::milliseconds;
using std::chrono::seconds;

class ManualTime {
 public:
  void move(milliseconds by) { now_ += by.count(); }
  RepositoryHealth::Time time() const {
    return [this] { return work::Instant(milliseconds(now_)); };
  }

 private:
  std::atomic<std::int64_t> now_ = 1;
};

const Error kDown = unavailable("no route to host");

TEST(RepositoryHealth, LetsOneTryWhatDoesNotAnswerAndTellsWhenItDoes) {
  ManualTime time;
  RepositoryHealth repository_health({.first = milliseconds(100), .most = milliseconds(1000)},
                                     time.time());
  std::vector<std::string> back;
  const auto listening = repository_health.on_back(
      [&](const std::string& ns, const std::string& name) { back.push_back(ns + "/" + name); });
  EXPECT_TRUE(repository_health.enter("a", "x"));
  repository_health.report("a", "x", &kDown);
  EXPECT_FALSE(repository_health.answers("a", "x"));
  EXPECT_TRUE(repository_health.answers("b", "x")) << "another one of that name";
  const auto refused = repository_health.enter("a", "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(), "repository \"x\" does not answer: no route to host");
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_GE(repository_health.wait("a", "x"), milliseconds(100));
  EXPECT_LE(repository_health.wait("a", "x"), milliseconds(150));

  time.move(milliseconds(150));
  {
    const auto probe = repository_health.enter("a", "x");
    EXPECT_TRUE(probe);
    EXPECT_FALSE(repository_health.enter("a", "x")) << "one alone";
    EXPECT_EQ(repository_health.wait("a", "x"), milliseconds(100))
        << "until it has said how it went";
  }
  const auto probe = repository_health.enter("a", "x");
  EXPECT_TRUE(probe) << "the first did not try";
  const Error refusal = invalid("hook declined");
  repository_health.report("a", "x", &refusal);
  EXPECT_FALSE(repository_health.answers("a", "x"));
  EXPECT_TRUE(back.empty());
  repository_health.report("a", "x", nullptr);
  EXPECT_TRUE(repository_health.answers("a", "x"));
  EXPECT_EQ(repository_health.wait("a", "x"), milliseconds(0));
  repository_health.report("a", "x", nullptr);
  EXPECT_EQ(back, (std::vector<std::string>{"a/x"}));
}

TEST(RepositoryHealth, TellsNobodyWhoNoLongerListens) {
  RepositoryHealth repository_health;
  int told = 0;
  auto listening =
      repository_health.on_back([&](const std::string&, const std::string&) { ++told; });
  repository_health.report("a", "x", &kDown);
  listening = nullptr;
  repository_health.report("a", "x", nullptr);
  EXPECT_EQ(told, 0);
}

/// Writes to the repository "hang" block until released, and then fail with kUnavailable until
/// `works` is set.
class Hanging : public PassingStore {
 public:
  struct State {
    bool blocks = true, works = false, syncs_block = false;
    std::map<std::string, int> begun, saved;  // by repository
  };

  using PassingStore::PassingStore;

  Result<Value> save(const packages::SaveRequest& request) override {
    state.change([&](State& now) { ++now.begun[request.repository]; });
    if (request.repository == "hang") {
      const bool works = state.wait([](const State& now) { return !now.blocks; },
                                    [](const State& now) { return now.works; });
      if (!works) return kDown;
    }
    auto saved = below_.save(request);
    if (saved) state.change([&](State& now) { ++now.saved[request.repository]; });
    return saved;
  }
  Result<packages::Synced> sync(const Value& repository) override {
    if (krm::name_of(repository) == "hang")
      state.wait([](const State& now) { return !now.syncs_block; }, [](const State&) {});
    return below_.sync(repository);
  }

  Monitor<State> state;
};

/// Fails with kUnavailable, after the Repository was deleted if `deletes`.
class Failing : public PassingStore {
 public:
  Failing(drafts::Fleet& fleet, krm::ObjectKey repository)
      : PassingStore(*fleet.packages), fleet_(fleet), repository_(std::move(repository)) {}

  Result<Value> save(const packages::SaveRequest&) override {
    if (deletes)
      drafts::must(fleet_.registry->commit(
          {{registry::Verb::kDelete, drafts::must(fleet_.registry->get(repository_))
                                         .without_at({"metadata", "resourceVersion"})}}));
    return kDown;
  }

  bool deletes = false;

 private:
  drafts::Fleet& fleet_;
  const krm::ObjectKey repository_;
};

TEST(RepositoryHealth, ForgetsARepositoryThatIsDeletedWhileItIsWrittenTo) {
  drafts::Fleet fleet;
  fleet.make_git("x");
  const Value repository = fleet.store_new(fleet.repository_object("x", "x"));
  RepositoryHealth repository_health;
  Failing failing(fleet, krm::object_key(repository));
  const auto store = reporting_to(repository_health, *fleet.registry, failing);
  packages::SaveRequest request;
  request.ns = "default";
  request.repository = "x";
  EXPECT_FALSE(store->save(request));
  EXPECT_EQ(repository_health.silent().size(), 1u);
  failing.deletes = true;
  EXPECT_FALSE(store->save(request));
  EXPECT_TRUE(repository_health.silent().empty());
  EXPECT_TRUE(repository_health.answers("default", "x"));
}

/// Counts the writes whose failure has been reported.
class Counting : public PassingStore {
 public:
  explicit Counting(std::unique_ptr<packages::PackageStore> below)
      : PassingStore(*below), owned_(std::move(below)) {}

  Result<Value> save(const packages::SaveRequest& request) override {
    auto saved = below_.save(request);
    if (!saved) failed.change([](int& count) { ++count; });
    return saved;
  }

  Monitor<int> failed{0};

 private:
  std::unique_ptr<packages::PackageStore> owned_;
};

class OneBadNeighbour : public ::testing::Test {
 protected:
  static constexpr int kWorkers = 8, kLane = 2, kVariants = 40;

  OneBadNeighbour() {
    for (const char* name : {"up", "hang", "edge"}) {
      fleet_.make_git(name);
      fleet_.store_new(fleet_.repository_object(name, name));
    }
    fleet_.commit(
        "up", "main",
        {{"web/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n"}});
    manager_ = make_manager(seconds(5));
    drafts::must(manager_->start());
    EXPECT_TRUE(settle());
  }
  void TearDown() override {
    hanging_.state.change([](Hanging::State& now) { now.blocks = now.syncs_block = false; });
    manager_ = nullptr;
  }

  std::unique_ptr<Manager> make_manager(milliseconds first_looks,
                                        milliseconds first_looks_hang = seconds(1)) {
    return Manager::make({.registry = *fleet_.registry,
                          .log = log_,
                          .controllers = all_controllers({.registry = *fleet_.registry,
                                                          .packages = *packages_,
                                                          .drafts = *drafts_,
                                                          .repository_health = reach_,
                                                          .clock = fleet_.clock,
                                                          .workers = kWorkers}),
                          .first_looks = first_looks,
                          .first_looks_hang = first_looks_hang});
  }
  bool settle() {
    return manager_->wait_settled(seconds(60), [](const Progress&) {});
  }
  void variant(const std::string& name, const std::string& repository) {
    fleet_.store_new(drafts::objects_from(fmt::format(
        "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\n"
        "metadata: {{name: {0}, namespace: default}}\n"
        "spec: {{upstream: {{repo: up, package: web}}, downstream: {{repo: {1}, package: {0}}}}}\n",
        name, repository))[0]);
  }
  bool reaches(const std::function<bool(const Hanging::State&)>& ready) {
    return hanging_.state.wait_until(std::chrono::steady_clock::now() + seconds(60), ready, ready);
  }
  /// The keys of a repository that does not answer are retried constantly, so the queues may never
  /// be idle. Therefore this waits for the conditions.
  bool all_say(const std::string& text) const {
    const auto until = std::chrono::steady_clock::now() + seconds(60);
    while (say(text) != kVariants && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(milliseconds(1));
    return say(text) == kVariants;
  }
  /// The number of variants whose Ready message matches.
  int say(const std::string& text) const {
    int out = 0;
    for (const Value& each : fleet_.all(kVariantType))
      for (const Value& condition : each["status"]["conditions"].items())
        if (condition["type"].as_string() == "Ready" &&
            condition["message"].as_string().find(text) != std::string_view::npos)
          ++out;
    return out;
  }

  drafts::Fleet fleet_;
  ManualTime time_;
  // Long enough that even on a busy machine all waiting variants have been reconciled before the
  // first is retried.
  RepositoryHealth reach_{{.first = milliseconds(300), .most = milliseconds(300)}, time_.time()};
  Hanging hanging_{*fleet_.packages};
  std::unique_ptr<Counting> packages_ =
      std::make_unique<Counting>(reporting_to(reach_, *fleet_.registry, hanging_));
  std::unique_ptr<drafts::Drafts> drafts_ =
      drafts::make_drafts(*fleet_.registry, *packages_, fleet_.runner);
  NoLog log_;
  std::unique_ptr<Manager> manager_;
};

TEST_F(OneBadNeighbour, StopsNobodyIsTriedByOneAndIsDoneWhenItAnswers) {
  for (int i = 0; i < kVariants; ++i) variant(fmt::format("hang-{}", i), "hang");
  ASSERT_TRUE(reaches([](const auto& now) { return now.begun.contains("hang"); }));
  variant("fine", "edge");
  ASSERT_TRUE(reaches([](const auto& now) { return now.saved.contains("edge"); }))
      << "all workers are in the repository that hangs";
  ASSERT_TRUE(reaches([](const auto& now) { return now.begun.at("hang") == kLane; }));

  // The repository answers, with an error.
  hanging_.state.change([](Hanging::State& now) { now.blocks = false; });
  ASSERT_TRUE(all_say("no route to host"));
  EXPECT_EQ(hanging_.state.with([](const auto& now) { return now.begun.at("hang"); }), kLane)
      << "nobody else has to find out";
  EXPECT_GE(say("repository \"hang\" does not answer"), kVariants - kLane);

  // One variant finds that it still does not answer, the next that it does, and then all proceed.
  time_.move(seconds(1));
  const auto probed = [](const int& failed) { return failed == kLane + 1; };
  // The time moves only after the report, because the next probe is due a back-off after it.
  ASSERT_TRUE(
      packages_->failed.wait_until(std::chrono::steady_clock::now() + seconds(60), probed, probed));
  hanging_.state.change([](Hanging::State& now) { now.works = true; });
  time_.move(seconds(1));
  ASSERT_TRUE(reaches([](const auto& now) {
    return now.saved.contains("hang") && now.saved.at("hang") == kVariants;
  }));
  ASSERT_TRUE(settle());
  EXPECT_EQ(say("no route to host"), 0);
}

TEST_F(OneBadNeighbour, IsNotWaitedForByWhoAsksForSomethingElse) {
  for (int i = 0; i < kVariants; ++i) variant(fmt::format("hang-{}", i), "hang");
  ASSERT_TRUE(reaches([](const auto& now) { return now.begun.contains("hang"); }));
  variant("fine", "edge");
  const auto waits = [&](const std::string& name, milliseconds limit, milliseconds rest) {
    return manager_->wait_settled(
        {.limit = limit, .asked = {{kVariantType, "default", name}}, .rest = rest},
        [](const Progress&) {});
  };
  EXPECT_TRUE(waits("fine", seconds(60), milliseconds(0)));
  EXPECT_TRUE(hanging_.state.with([](const auto& now) { return now.saved.contains("edge"); }));
  EXPECT_TRUE(waits("fine", seconds(60), milliseconds(20))) << "the rest does not get on";
  EXPECT_FALSE(waits("hang-0", milliseconds(0), milliseconds(0)));
  EXPECT_FALSE(manager_->wait_settled(milliseconds(0), [](const Progress&) {}));
}

TEST_F(OneBadNeighbour, KeepsNobodyFromStarting) {
  manager_ = nullptr;
  variant("fine", "edge");
  hanging_.state.change([](Hanging::State& now) { now.syncs_block = true; });
  manager_ = make_manager(milliseconds(0));
  drafts::must(manager_->start());
  ASSERT_TRUE(reaches([](const auto& now) { return now.saved.contains("edge"); }))
      << "nobody begins before all repositories were read";
  EXPECT_FALSE(manager_->wait_settled(milliseconds(0), [](const Progress&) {}));
}

TEST_F(OneBadNeighbour, HoldsBackAtTheStartWhatRestsOnItAndNothingElse) {
  manager_ = nullptr;
  variant("fine", "edge");
  variant("waits", "hang");
  hanging_.state.change([](Hanging::State& now) {
    now.syncs_block = true;
    now.blocks = false;
    now.works = true;
  });
  const auto never = std::chrono::hours(1);
  manager_ = make_manager(never, never);
  drafts::must(manager_->start());
  ASSERT_TRUE(reaches([](const auto& now) { return now.saved.contains("edge"); }))
      << "what has to do with other repositories waits for this one";
  EXPECT_FALSE(hanging_.state.with([](const auto& now) { return now.begun.contains("hang"); }));
  EXPECT_FALSE(manager_->wait_settled(milliseconds(0), [](const Progress&) {}));
  hanging_.state.change([](Hanging::State& now) { now.syncs_block = false; });
  ASSERT_TRUE(settle());
  EXPECT_TRUE(hanging_.state.with([](const auto& now) { return now.saved.contains("hang"); }));
}

// Each repository is polled for external changes, with a period of its own.
TEST(RepositoryPolls, ComeAfterAPeriodOfTheirOwn) {
  drafts::Fleet fleet;
  RepositoryHealth repository_health;
  const auto controller = repository_controller({.registry = *fleet.registry,
                                                 .packages = *fleet.packages,
                                                 .drafts = *fleet.drafts,
                                                 .repository_health = repository_health,
                                                 .clock = fleet.clock,
                                                 .resync = seconds(60)});
  std::set<std::int64_t> periods;
  for (int i = 0; i < 5; ++i) {
    const std::string name = fmt::format("r{}", i);
    fleet.make_git(name);
    const Value object = fleet.store_new(fleet.repository_object(name, name));
    const registry::Event added{registry::Change::kAdded, object, {}, fleet.registry->version()};
    const krm::ObjectKey key = krm::object_key(object);
    EXPECT_EQ(controller->wake(added).size(), 1u);
    const auto look = drafts::must(controller->reconcile(key, {}));
    ASSERT_TRUE(look.after);
    EXPECT_GE(*look.after, seconds(53));
    EXPECT_LE(*look.after, seconds(67));
    periods.insert(look.after->count());
    const auto sooner = drafts::must(controller->reconcile(key, {}));
    ASSERT_TRUE(sooner.after) << "a look for another reason does not end the polls";
    EXPECT_LE(*sooner.after, *look.after);
  }
  EXPECT_GT(periods.size(), 1u);
  EXPECT_EQ(controller->workers().back_off.most, seconds(60)) << "one that fails, too";
}

TEST(RepositoryPolls, EndWithTheRepository) {
  drafts::Fleet fleet;
  RepositoryHealth repository_health;
  const auto controller = repository_controller({.registry = *fleet.registry,
                                                 .packages = *fleet.packages,
                                                 .drafts = *fleet.drafts,
                                                 .repository_health = repository_health,
                                                 .clock = fleet.clock,
                                                 .resync = seconds(60)});
  fleet.make_git("r");
  const Value object = fleet.store_new(fleet.repository_object("r", "r"));
  const krm::ObjectKey key = krm::object_key(object);
  controller->wake({registry::Change::kAdded, object, {}, 1});
  EXPECT_TRUE(drafts::must(controller->reconcile(key, {})).after);
  drafts::must(fleet.registry->commit(
      {{registry::Verb::kDelete, object.without_at({"metadata", "resourceVersion"})}}));
  controller->wake({registry::Change::kDeleted, object, object, 2});
  EXPECT_FALSE(drafts::must(controller->reconcile(key, {})).after);
}

}  // namespace
}  // namespace portico::controllers
