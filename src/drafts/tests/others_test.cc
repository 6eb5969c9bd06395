// Concurrent writers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "drafts/tests/fleet.h"
#include "gitpackages/package_revision.h"
#include "registry/forwarding_registry.h"

namespace portico::drafts {
namespace {

using json::Value;

const packages::Actor kAda{"Ada", "ada@example.com"};

/// A store where another writer intervenes just before each of the next commits.
class Busy : public registry::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;
  std::function<void()> before;
  int times = 0;

  Result<std::vector<Value>> commit(const std::vector<registry::Write>& writes) override {
    disturb();
    return ForwardingRegistry::commit(writes);
  }
  std::vector<Result<Value>> commit_each(const std::vector<registry::Write>& writes) override {
    disturb();
    return ForwardingRegistry::commit_each(writes);
  }

 private:
  void disturb() {
    if (times == 0) return;
    --times;
    before();
  }
};

class Others : public ::testing::Test {
 protected:
  void SetUp() override {
    fleet_.make_git("up");
    fleet_.store_new(fleet_.repository_object("up", "up"));
  }

  static DraftRequest init(const std::string& package, const std::string& workspace) {
    DraftRequest request;
    request.ns = Fleet::kNs;
    request.repository = "up";
    request.package = package;
    request.workspace = workspace;
    request.source = InitSource{};
    request.actor = kAda;
    return request;
  }
  static krm::ObjectKey key(const std::string& name) {
    return packages::revision_key(Fleet::kNs, name);
  }

  void relabel(const std::string& name) {
    const Value stored = must(fleet_.revision(name));
    must(fleet_.registry->commit(
        {{registry::Verb::kUpdate,
          stored.with_at({"metadata", "labels", "count"}, std::to_string(++count_))}}));
  }

  Fleet fleet_;
  int count_ = 0;
};

TEST_F(Others, WriteToTheObjectWhileGitMoves) {
  Busy busy(*fleet_.registry);
  const Fleet::Engines engines = fleet_.over(busy);
  must(engines.drafts->draft(init("web", "v1")));
  const auto step = [&](const char* what, auto&& change) {
    busy.before = [&] { relabel("up.web.v1"); };
    busy.times = 3;
    const auto done = change();
    EXPECT_TRUE(done) << what << ": " << done.error().text();
    EXPECT_EQ(busy.times, 0) << what;
    const auto stored = fleet_.revision("up.web.v1");
    if (stored) {
      EXPECT_EQ(krm::label_of(*stored, "count"), std::to_string(count_)) << what << " lost a label";
    }
    const auto synced = fleet_.sync("up");
    ASSERT_TRUE(synced);
    EXPECT_EQ(synced->written, 0U) << what << " left the store behind git";
  };
  DraftRequest push = init("web", "v1");
  push.draft = "up.web.v1";
  push.source = ReplaceSource{*fleet_.content("up.web.v1")};
  std::get<ReplaceSource>(push.source).content.set("note.txt", "hello");
  step("push", [&] { return engines.drafts->draft(push); });
  step("propose", [&] { return engines.packages->propose(key("up.web.v1"), kAda); });
  step("reject", [&] { return engines.packages->reject(key("up.web.v1"), kAda); });
  must(engines.packages->propose(key("up.web.v1"), kAda));
  step("approve", [&] { return engines.packages->approve(key("up.web.v1"), kAda); });
  step("propose-delete",
       [&] { return engines.packages->propose_deletion(key("up.web.v1"), kAda); });
  step("restore", [&] { return engines.packages->reject(key("up.web.v1"), kAda); });
  must(engines.packages->propose_deletion(key("up.web.v1"), kAda));
  step("delete", [&] { return engines.packages->remove(key("up.web.v1"), kAda); });
  EXPECT_FALSE(fleet_.revision("up.web.v1"));
}

TEST_F(Others, RemoveTheDraftThatASyncIsAboutToStore) {
  must(fleet_.drafts->draft(init("web", "v1")));
  const Value draft = must(fleet_.revision("up.web.v1"));
  must(fleet_.registry->commit({{registry::Verb::kDelete, draft}}));  // as if not read yet
  Busy busy(*fleet_.registry);
  const Fleet::Engines slow = fleet_.over(busy);
  busy.before = [&] {
    must(fleet_.sync("up"));
    must(fleet_.packages->remove(key("up.web.v1"), kAda));
  };
  busy.times = 1;
  must(slow.packages->sync(must(fleet_.registry->get({kRepositoryType, Fleet::kNs, "up"}))));
  EXPECT_EQ(busy.times, 0);
  EXPECT_FALSE(fleet_.revision("up.web.v1")) << "the store has what git no longer has";
}

TEST_F(Others, SyncBetweenGitAndTheStore) {
  Busy busy(*fleet_.registry);
  const Fleet::Engines engines = fleet_.over(busy);
  busy.before = [&] { must(fleet_.sync("up")); };
  busy.times = 1;
  DraftRequest request = init("web", "v1");
  request.object = Value::object()
                       .with_at({"metadata", "labels", "team"}, "red")
                       .with_at({"metadata", "annotations", "why"}, "because");
  request.variant = "default/pv";
  const Drafted drafted = must(engines.drafts->draft(request));
  const Value stored = must(fleet_.revision("up.web.v1"));
  EXPECT_EQ(stored, drafted.object);
  EXPECT_EQ(krm::label_of(stored, "team"), "red");
  EXPECT_EQ(krm::annotation_of(stored, "why"), "because");
  EXPECT_EQ(krm::annotation_of(stored, api::kVariantAnnotation), "default/pv");
  EXPECT_EQ(stored["spec"]["tasks"].items()[0]["type"].as_string(), "init");

  for (const bool approving : {false, true}) {
    busy.times = 1;
    if (approving)
      must(engines.packages->approve(key("up.web.v1"), kAda));
    else
      must(engines.packages->propose(key("up.web.v1"), kAda));
    EXPECT_EQ(must(fleet_.sync("up")).written, 0U);
  }
  EXPECT_EQ(must(fleet_.revision("up.web.v1"))["status"]["publishedBy"].as_string(), "Ada");
}

TEST_F(Others, ApproveWhileASyncStillHasWhatWasBefore) {
  must(fleet_.drafts->draft(init("web", "v1")));
  const std::string bare = fleet_.bare("up");
  portico::testing::git(bare, {"branch", "-m", "drafts/web/v1", "proposed/web/v1"});
  Busy busy(*fleet_.registry);
  const Fleet::Engines engines = fleet_.over(busy);
  busy.before = [&] {
    must(fleet_.sync("up"));
    must(fleet_.packages->approve(key("up.web.v1"), kAda));
  };
  busy.times = 1;
  must(engines.packages->sync(must(fleet_.registry->get({kRepositoryType, Fleet::kNs, "up"}))));
  EXPECT_EQ(busy.times, 0);
  const Value stored = must(fleet_.revision("up.web.v1"));
  EXPECT_EQ(stored["spec"]["lifecycle"].as_string(), "Published");
  EXPECT_EQ(stored["status"]["ref"].as_string(), "refs/tags/web/v1");
  EXPECT_EQ(must(fleet_.sync("up")).written, 0U);
}

// Of many concurrent requests for one draft, one succeeds.
TEST_F(Others, OneOfManyMakesTheDraft) {
  constexpr int kThreads = 8;
  for (int round = 0; round < 5; ++round) {
    const std::string package = "web" + std::to_string(round);
    std::atomic<int> made = 0, refused = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&] {
        const auto done = fleet_.drafts->draft(init(package, "v1"));
        if (done)
          ++made;
        else if (done.error().code == Code::kConflict || done.error().code == Code::kInvalid)
          ++refused;
      });
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(made, 1);
    EXPECT_EQ(refused, kThreads - 1);
  }
  EXPECT_EQ(must(fleet_.sync("up")).written, 0U);
}

TEST_F(Others, OneOfManyApproves) {
  must(fleet_.drafts->draft(init("web", "v1")));
  must(fleet_.packages->propose(key("up.web.v1"), kAda));
  std::atomic<int> approved = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      if (fleet_.packages->approve(key("up.web.v1"), kAda)) ++approved;
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(approved, 1);
  EXPECT_EQ(must(fleet_.sync("up")).written, 0U);
}

// Revisions of one package that are published concurrently get numbers without gaps.
TEST_F(Others, ApprovalsOfOnePackageAreNumbered) {
  must(fleet_.drafts->draft(init("web", "v0")));
  must(fleet_.packages->propose(key("up.web.v0"), kAda));
  must(fleet_.packages->approve(key("up.web.v0"), kAda));
  constexpr int kMany = 4;
  std::vector<std::string> names;
  for (int i = 1; i <= kMany; ++i) {
    DraftRequest copy = init("web", "copy-" + std::to_string(i));
    copy.source = CopySource{"up.web.v0"};
    copy.only_if_changed = false;
    names.emplace_back(krm::name_of(must(fleet_.drafts->draft(copy)).object));
    must(fleet_.packages->propose(key(names.back()), kAda));
  }
  std::vector<std::thread> threads;
  for (const std::string& name : names)
    threads.emplace_back([&, name] {
      // Conflict: another revision took the number meanwhile; try again.
      for (int tries = 0; tries < 50; ++tries) {
        const auto done = fleet_.packages->approve(key(name), kAda);
        if (done || done.error().code != Code::kConflict) break;
      }
    });
  for (std::thread& each : threads) each.join();
  std::set<std::int64_t> numbers;
  int latest = 0;
  for (const Value& each : fleet_.all(kRevisionType)) {
    if (each["spec"]["revision"].as_int() > 0) numbers.insert(each["spec"]["revision"].as_int());
    if (!krm::label_of(each, api::kLatestRevisionLabel).empty()) {
      ++latest;
      EXPECT_EQ(each["spec"]["revision"].as_int(), kMany + 1);
    }
  }
  EXPECT_THAT(numbers, ::testing::ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(latest, 1);
  EXPECT_EQ(must(fleet_.sync("up")).written, 0U);
}

// Syncs, edits and reads of different packages do not disturb each other.
TEST_F(Others, ManyWorkOnManyPackages) {
  std::atomic<bool> over = false;
  std::thread syncing([&] {
    while (!over) must(fleet_.sync("up"));
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const std::string package = "p" + std::to_string(i), name = "up." + package + ".v1";
      must(fleet_.drafts->draft(init(package, "v1")));
      must(fleet_.packages->propose(key(name), kAda));
      must(fleet_.packages->approve(key(name), kAda));
      must(fleet_.packages->propose_deletion(key(name), kAda));
      must(fleet_.packages->reject(key(name), kAda));
      EXPECT_NE(fleet_.content(name)->find("Kptfile"), nullptr);
    });
  for (std::thread& each : threads) each.join();
  over = true;
  syncing.join();
  EXPECT_EQ(must(fleet_.sync("up")).written, 0U);
  EXPECT_EQ(fleet_.all(kRevisionType).size(), 8U);
}

TEST_F(Others, ForgettingARepositoryLeavesGitAlone) {
  must(fleet_.drafts->draft(init("web", "v1")));
  const Value repository = must(fleet_.registry->get({kRepositoryType, Fleet::kNs, "up"}));
  const std::string refs = Fleet::refs_of(repository);
  ASSERT_TRUE(fleet_.packages->forget(Fleet::kNs, "up"));
  EXPECT_FALSE(fleet_.all(kRevisionType).empty()) << "the Repository is there";
  must(fleet_.registry->commit({{registry::Verb::kDelete, repository}}));
  ASSERT_TRUE(fleet_.packages->forget(Fleet::kNs, "up"));
  EXPECT_TRUE(fleet_.all(kRevisionType).empty());
  EXPECT_EQ(Fleet::refs_of(repository), refs);
  ASSERT_TRUE(fleet_.packages->forget(Fleet::kNs, "up"));
  fleet_.store_new(repository.without_at({"metadata", "resourceVersion"})
                       .without_at({"metadata", "uid"})
                       .without("status"));
  EXPECT_EQ(must(fleet_.sync("up")).written, 1U);
}

// An acknowledged publication is in the remote repository.
TEST_F(Others, SeeWhatWasPublishedInTheRemote) {
  Value remote = fleet_.repository_object("far", "up");
  remote = remote.with_at({"spec", "git", "repo"}, "file://" + fleet_.bare("up"));
  fleet_.store_new(remote);
  DraftRequest request = init("web", "v1");
  request.repository = "far";
  must(fleet_.drafts->draft(request));
  must(fleet_.packages->propose(key("far.web.v1"), kAda));
  must(fleet_.packages->approve(key("far.web.v1"), kAda));
  const std::string bare = fleet_.bare("up");
  EXPECT_EQ(portico::testing::git(bare, {"rev-parse", "web/v1"}),
            portico::testing::git(bare, {"rev-parse", "main"}));
  EXPECT_EQ(must(fleet_.revision("far.web.v1"))["status"]["selfLock"]["git"]["commit"].as_string(),
            portico::testing::git(bare, {"rev-parse", "web/v1"}));
}

}  // namespace
}  // namespace portico::drafts
