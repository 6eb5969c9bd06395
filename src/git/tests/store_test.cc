#include "git/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/world_error.h"
#include "git/local.h"
#include "git/remote.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::git {
namespace {

namespace fs = std::filesystem;
using portico::testing::fsck;
using portico::testing::git_try;
using portico::testing::make_bare;
using portico::testing::TempDir;
using ::testing::HasSubstr;
using ::testing::Not;

std::string run(const std::string& folder, const std::vector<std::string>& arguments) {
  return portico::testing::git(folder, arguments);
}

Oid id_of(const std::string& hex) { return *parse_oid(hex); }

// A commit without parents whose one file says `text`.
Oid stage_commit(Staging& staging, const std::string& text, std::vector<Oid> parents = {}) {
  const Oid blob = staging.add(ObjectType::kBlob, text);
  Commit commit;
  commit.tree = staging.add(ObjectType::kTree, encode_tree({{kModeFile, "file", blob}}));
  commit.parents = std::move(parents);
  commit.author = commit.committer = {"T", "t@example.com", {}, 0};
  commit.message = text + "\n";
  return staging.add(ObjectType::kCommit, encode_commit(commit));
}

// Sets a ref from one value to another.
Result<Done> move_ref(Store& store, const std::string& ref, Oid from, const std::string& text,
                      Oid* made = nullptr) {
  Staging staging;
  const Oid id =
      stage_commit(staging, text, from.is_zero() ? std::vector<Oid>{} : std::vector{from});
  if (made) *made = id;
  return store.write([&](Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid now, batch.lock(ref));
    if (now != from) return conflict("{} is at {}", ref, now.short_hex());
    batch.add(staging);
    return batch.set(ref, id);
  });
}

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override { bare_ = make_bare(temp_.path().string(), "a.git"); }

  std::unique_ptr<Store> open_here(StoreOptions options = {}) {
    auto store = Store::open(bare_, std::move(options));
    EXPECT_TRUE(store) << (store ? "" : store.error().text());
    return store ? *std::move(store) : nullptr;
  }

  TempDir temp_;
  std::string bare_;
};

TEST_F(StoreTest, WhatItWritesGitReads) {
  auto store = open_here();
  const std::string loose = run(bare_, {"count-objects"});
  Oid made;
  ASSERT_TRUE(move_ref(*store, "refs/heads/x/y", {}, "hello", &made));
  EXPECT_EQ(run(bare_, {"rev-parse", "x/y"}), made.hex());
  EXPECT_EQ(run(bare_, {"show", "x/y:file"}), "hello");
  EXPECT_EQ(run(bare_, {"count-objects"}), loose) << "all went into a pack";
  EXPECT_EQ(fsck(bare_), "");
  EXPECT_TRUE(store->objects().read(made));
  EXPECT_FALSE(fs::exists(bare_ + "/refs/heads/x")) << "no empty folder stays";
  for (const auto& entry : fs::directory_iterator(bare_ + "/objects/pack"))
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("keep")));
}

TEST_F(StoreTest, ReadersClearTheLocksOfTheDeadAndLeaveThoseOfTheLiving) {
  auto store = open_here();
  ASSERT_TRUE(store->refs().snapshot());
  EXPECT_FALSE(store->refs().saw_locks());
  const std::string dead = bare_ + "/refs/heads/a.lock", packed = bare_ + "/packed-refs.lock",
                    git = bare_ + "/refs/heads/by-git.lock";
  portico::testing::write_file(dead, "portico\n");
  portico::testing::write_file(packed, "portico\n");
  portico::testing::write_file(git, "");
  store->clear_locks_of_the_dead();
  EXPECT_TRUE(fs::exists(dead)) << "nobody has looked";
  ASSERT_TRUE(store->refs().snapshot());
  EXPECT_TRUE(store->refs().saw_locks());
  ASSERT_TRUE(store->exclusively([&]() -> Result<Done> {
    store->clear_locks_of_the_dead();
    EXPECT_TRUE(fs::exists(dead)) << "it may be this writer's";
    return Done{};
  }));
  store->clear_locks_of_the_dead();
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_FALSE(fs::exists(packed));
  EXPECT_TRUE(fs::exists(git)) << "another program's";
}

TEST_F(StoreTest, LargeObjectsAndManyOfThemSurvive) {
  auto store = open_here();
  Staging staging;
  std::string big;
  for (unsigned i = 0; i < 700'000; ++i) big += static_cast<char>(i * 2654435761u >> 24);
  const Oid commit = stage_commit(staging, big);
  for (int i = 0; i < 3000; ++i) staging.add(ObjectType::kBlob, std::to_string(i));
  ASSERT_TRUE(store->write([&](Batch& batch) -> Result<Done> {
    PORTICO_TRY([[maybe_unused]] const Oid now, batch.lock("refs/heads/big"));
    batch.add(staging);
    return batch.set("refs/heads/big", commit);
  }));
  EXPECT_EQ(fsck(bare_), "");
  EXPECT_EQ(store->objects().read(object_id(ObjectType::kBlob, big))->bytes, big);
  EXPECT_EQ(store->objects().read(object_id(ObjectType::kBlob, "2999"))->bytes, "2999");
  EXPECT_EQ(store->objects().read(object_id(ObjectType::kBlob, big), 1000).error().code,
            Code::kInvalid);
  EXPECT_EQ(store->objects().read(Oid{}).error().code, Code::kNotFound);
}

TEST_F(StoreTest, OneStaleWriteDoesNotTouchTheOthers) {
  auto store = open_here();
  Oid first;
  ASSERT_TRUE(move_ref(*store, "refs/heads/a", {}, "1", &first));
  EXPECT_EQ(move_ref(*store, "refs/heads/a", {}, "2").error().code, Code::kConflict);
  // Together in one batch: the writers wait for one that is held up.
  std::atomic<int> good{0}, stale{0};
  std::vector<std::jthread> writers;
  for (int i = 0; i < 16; ++i)
    writers.emplace_back([&, i] {
      const bool late = i % 2 == 0;
      const auto done = move_ref(*store, late ? "refs/heads/a" : fmt::format("refs/heads/b{}", i),
                                 {}, std::to_string(i));
      if (done) ++good;
      if (!done && done.error().code == Code::kConflict) ++stale;
    });
  writers.clear();
  EXPECT_EQ(good, 8);
  EXPECT_EQ(stale, 8);
  EXPECT_EQ(run(bare_, {"rev-parse", "a"}), first.hex());
  EXPECT_EQ(fsck(bare_), "");
}

TEST_F(StoreTest, RefsOfGitAreTakenOver) {
  // Loose refs, packed refs, and an annotated tag of each form.
  run(bare_, {"tag", "-a", "-m", "packed", "packed", "main"});
  run(bare_, {"pack-refs", "--all"});
  run(bare_, {"tag", "-a", "-m", "loose", "loose", "main"});
  run(bare_, {"branch", "other", "main"});
  auto store = open_here();
  const Oid main = id_of(run(bare_, {"rev-parse", "main"}));
  const std::string loose = run(bare_, {"rev-parse", "loose"});
  ASSERT_TRUE(store->write([&](Batch& batch) -> Result<Done> {
    for (const char* ref : {"refs/heads/main", "refs/heads/other", "refs/tags/loose",
                            "refs/heads/new", "refs/tags/moved", "refs/tags/packed"}) {
      PORTICO_TRY([[maybe_unused]] const Oid now, batch.lock(ref));
    }
    Staging staging;
    const Oid next = stage_commit(staging, "next", {main});
    batch.add(staging);
    PORTICO_DO(batch.set("refs/heads/main", next));
    PORTICO_DO(batch.set("refs/heads/other", Oid{}));
    PORTICO_DO(batch.set("refs/heads/new", next));
    PORTICO_DO(batch.set("refs/tags/moved", id_of(loose)));
    return batch.set("refs/tags/loose", Oid{});
  }));
  EXPECT_EQ(run(bare_, {"for-each-ref", "--format=%(refname) %(objecttype)"}),
            "refs/heads/main commit\nrefs/heads/new commit\nrefs/tags/moved tag\n"
            "refs/tags/packed tag");
  EXPECT_EQ(run(bare_, {"rev-parse", "moved^{}"}), main.hex()) << "packed with its peeled id";
  EXPECT_EQ(run(bare_, {"show-ref", "--dereference", "moved"}),
            loose + " refs/tags/moved\n" + main.hex() + " refs/tags/moved^{}");
  EXPECT_EQ(fsck(bare_), "");
}

TEST_F(StoreTest, NamesThatAreFoldersOfOthersAreRefused) {
  auto store = open_here();
  ASSERT_TRUE(move_ref(*store, "refs/heads/d/a/b", {}, "1"));
  run(bare_, {"update-ref", "refs/heads/loose/x", "main"});
  EXPECT_EQ(move_ref(*store, "refs/heads/d/a", {}, "2").error().code, Code::kInvalid);
  EXPECT_EQ(move_ref(*store, "refs/heads/d/a/b/c", {}, "2").error().code, Code::kInvalid);
  EXPECT_EQ(move_ref(*store, "refs/heads/loose", {}, "2").error().code, Code::kInvalid);
  EXPECT_FALSE(move_ref(*store, "refs/heads/loose/x/y", {}, "2"));
  EXPECT_EQ(move_ref(*store, "refs/heads/a..b", {}, "2").error().code, Code::kInvalid);
  // In one batch the later one is refused.
  const auto both = store->write([&](Batch& batch) -> Result<Done> {
    const Oid main = batch.value("refs/heads/main");
    for (const char* ref : {"refs/heads/p", "refs/heads/p/q"}) {
      PORTICO_TRY([[maybe_unused]] const Oid now, batch.lock(ref));
      PORTICO_DO(batch.set(ref, main));
    }
    return Done{};
  });
  EXPECT_EQ(both.error().code, Code::kInvalid);
  EXPECT_EQ(git_try(bare_, {"rev-parse", "--verify", "-q", "refs/heads/p"}).status, 1);
  ASSERT_TRUE(move_ref(*store, "refs/heads/d/a/c", {}, "3"));
  EXPECT_EQ(fsck(bare_), "");
}

TEST_F(StoreTest, SymbolicRefsAreReadAndNotWrittenThrough) {
  run(bare_, {"symbolic-ref", "refs/heads/alias", "refs/heads/main"});
  run(bare_, {"symbolic-ref", "refs/heads/dangling", "refs/heads/nothing"});
  auto store = open_here();
  const auto snapshot = store->refs().snapshot();
  ASSERT_TRUE(snapshot);
  EXPECT_EQ((*snapshot)->find("refs/heads/alias")->id, (*snapshot)->find("refs/heads/main")->id);
  EXPECT_EQ((*snapshot)->find("refs/heads/dangling"), nullptr);
  EXPECT_EQ(move_ref(*store, "refs/heads/alias", (*snapshot)->find("refs/heads/main")->id, "x")
                .error()
                .code,
            Code::kInvalid);
}

TEST_F(StoreTest, LocksOfOthersAreRespectedAndThoseOfTheDeadRemoved) {
  portico::testing::write_file(bare_ + "/refs/heads/a.lock", "");
  portico::testing::write_file(bare_ + "/refs/heads/b/c.lock", "portico\n");
  portico::testing::write_file(bare_ + "/packed-refs.lock", "portico\n");
  portico::testing::write_file(bare_ + "/objects/pack/tmp_portico_pack_x", "half");
  portico::testing::write_file(bare_ + "/objects/pack/pack-1.keep", "portico: refs follow\n");
  portico::testing::write_file(bare_ + "/objects/pack/pack-2.keep", "a person's\n");
  portico::testing::write_file(bare_ + "/objects/pack/pack-3.keep", "portico\n");
  auto store = open_here();
  EXPECT_FALSE(fs::exists(bare_ + "/refs/heads/b"));
  EXPECT_FALSE(fs::exists(bare_ + "/packed-refs.lock"));
  EXPECT_FALSE(fs::exists(bare_ + "/objects/pack/tmp_portico_pack_x"));
  EXPECT_FALSE(fs::exists(bare_ + "/objects/pack/pack-1.keep"));
  EXPECT_FALSE(fs::exists(bare_ + "/objects/pack/pack-3.keep"));
  EXPECT_TRUE(fs::exists(bare_ + "/objects/pack/pack-2.keep"));
  const auto refused = move_ref(*store, "refs/heads/a", {}, "1");
  EXPECT_EQ(refused.error().code, Code::kUnavailable);
  EXPECT_THAT(refused.error().text(), HasSubstr("a.lock"));
  EXPECT_TRUE(move_ref(*store, "refs/heads/b", {}, "1"));
  fs::remove(bare_ + "/refs/heads/a.lock");
  EXPECT_TRUE(move_ref(*store, "refs/heads/a", {}, "1"));
}

TEST_F(StoreTest, SnapshotsAreSharedUntilSomethingMoves) {
  auto store = open_here();
  const auto first = *store->refs().snapshot();
  EXPECT_EQ(*store->refs().snapshot(), first);
  run(bare_, {"branch", "x", "main"});
  const auto second = *store->refs().snapshot();
  EXPECT_NE(second, first);
  EXPECT_NE(second->find("refs/heads/x"), nullptr);
  run(bare_, {"pack-refs", "--all"});
  EXPECT_EQ((*store->refs().snapshot())->refs, second->refs);
  run(bare_, {"update-ref", "-d", "refs/heads/x"});
  EXPECT_EQ((*store->refs().snapshot())->refs, first->refs);
}

TEST_F(StoreTest, ThirtyTwoWritersBesideGit) {
  StoreOptions options;
  options.packs = 12;  // so that packs are consolidated on the way
  auto store = open_here(std::move(options));
  constexpr int kWriters = 32, kEach = 6;
  std::atomic<bool> stop{false};
  std::jthread maintainer([&] {
    for (int i = 0; !stop; ++i) {
      git_try(bare_, {"update-ref", fmt::format("refs/heads/git/n{}", i % 3), "main"});
      if (i % 4 == 1) git_try(bare_, {"pack-refs", "--all"});
      if (i % 6 == 3) git_try(bare_, {"gc", "--quiet", "--prune=1.hour.ago"});
      git_try(bare_, {"update-ref", "-d", fmt::format("refs/heads/git/n{}", (i + 1) % 3)});
    }
  });
  std::vector<std::jthread> writers;
  std::atomic<int> failures{0};
  for (int w = 0; w < kWriters; ++w)
    writers.emplace_back([&, w] {
      Oid at;
      for (int i = 0; i < kEach; ++i) {
        Oid next;
        const auto done = move_ref(*store, fmt::format("refs/heads/w{}", w), at,
                                   fmt::format("{} {}", w, i), &next);
        if (!done) {
          ++failures;
          ADD_FAILURE() << done.error().text();
          return;
        }
        at = next;
        const auto back = store->objects().read(at);
        EXPECT_TRUE(back) << back.error().text();
      }
    });
  writers.clear();
  stop = true;
  maintainer.join();
  EXPECT_EQ(failures, 0);
  for (int w = 0; w < kWriters; ++w) {
    EXPECT_EQ(run(bare_, {"show", fmt::format("refs/heads/w{}:file", w)}),
              fmt::format("{} {}", w, kEach - 1));
    EXPECT_EQ(run(bare_, {"rev-list", "--count", fmt::format("refs/heads/w{}", w)}),
              std::to_string(kEach));
  }
  EXPECT_EQ(fsck(bare_), "");
}

TEST_F(StoreTest, WhoThrowsKeepsNobodyOut) {
  auto store = open_here();
  const auto thrown =
      store->write([](Batch&) -> Result<Done> { throw std::runtime_error("a plan"); });
  EXPECT_EQ(thrown.error().code, Code::kInternal);
  EXPECT_THAT(thrown.error().text(), HasSubstr("a plan"));
  const auto task =
      store->exclusively([]() -> Result<Done> { throw std::runtime_error("a task"); });
  EXPECT_THAT(task.error().text(), HasSubstr("a task"));
  EXPECT_TRUE(move_ref(*store, "refs/heads/after", {}, "1"));
}

TEST_F(StoreTest, PacksAreConsolidated) {
  StoreOptions options;
  options.packs = 1000;
  auto store = open_here(std::move(options));
  Oid at;
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(move_ref(*store, "refs/heads/a", at, std::to_string(i), &at));
  const auto packs = [&] {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(bare_ + "/objects/pack"))
      count += entry.path().extension() == ".pack";
    return count;
  };
  EXPECT_EQ(packs(), 20);
  const auto done = store->consolidate();
  EXPECT_TRUE(done) << done.error().text();
  EXPECT_LE(packs(), 2);
  EXPECT_TRUE(store->objects().read(at));
  ASSERT_TRUE(move_ref(*store, "refs/heads/a", at, "after"));
  EXPECT_EQ(fsck(bare_), "");
}

// A writer is killed in the middle again and again; every state it leaves is whole: each ref is
// where its writer had announced it, or one step further.
TEST_F(StoreTest, AKilledWriterLeavesAWholeRepository) {
  unsigned seed = 1;
  for (int round = 0; round < 12; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto store = Store::open(bare_);
      if (!store) ::_exit(3);
      for (int i = 0;; ++i) {
        // Two refs that move together, one of them back and forth between being there and not.
        const auto done = (*store)->write([&](Batch& batch) -> Result<Done> {
          PORTICO_TRY(const Oid a, batch.lock("refs/heads/a"));
          PORTICO_TRY(const Oid b, batch.lock("refs/heads/b/b"));
          Staging staging;
          const Oid next = stage_commit(staging, fmt::format("{} {}", round, i),
                                        a.is_zero() ? std::vector<Oid>{} : std::vector{a});
          batch.add(staging);
          PORTICO_DO(batch.set("refs/heads/a", next));
          return batch.set("refs/heads/b/b", b == a ? next : a);
        });
        if (!done) ::_exit(4);
        if (::write(ends[1], "x", 1) != 1) ::_exit(5);
      }
    }
    ::close(ends[1]);
    char byte;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1) << "the child got going";
    seed = seed * 1103515245 + 12345;
    ::usleep(seed >> 16 & 0x3fff);
    ::kill(child, SIGKILL);
    int how = 0;
    ::waitpid(child, &how, 0);
    EXPECT_TRUE(WIFSIGNALED(how)) << "status " << WEXITSTATUS(how);
    // A git that it had started holds the pipe, too: until it is gone it may remove packs.
    while (::read(ends[0], &byte, 1) > 0) {
    }
    ::close(ends[0]);

    EXPECT_EQ(fsck(bare_), "") << "as it was left";
    auto store = open_here();
    ASSERT_NE(store, nullptr);
    const auto snapshot = *store->refs().snapshot();
    const Ref* a = snapshot->find("refs/heads/a");
    ASSERT_NE(a, nullptr);
    const Ref* b = snapshot->find("refs/heads/b/b");
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(run(bare_, {"rev-parse", "refs/heads/a"}), a->id.hex());
    const auto object = store->objects().read(a->id);
    ASSERT_TRUE(object);
    const Commit commit = *parse_commit(object->bytes);
    EXPECT_TRUE(b->id == a->id || (!commit.parents.empty() && b->id == commit.parents[0]))
        << "both refs moved or none";
    run(bare_, {"update-ref", "refs/heads/by-git", "main"});  // no lock of the dead in its way
    run(bare_, {"pack-refs", "--all"});
  }
}

TEST_F(StoreTest, ABareRepositoryIsMadeWholeOrNotAtAll) {
  const std::string folder = bare_ + "-mirror";
  portico::testing::write_file(folder + ".new/HEAD", "");  // of a process that was killed
  ASSERT_TRUE(init_bare(folder, "trunk"));
  EXPECT_FALSE(fs::exists(folder + ".new"));
  EXPECT_EQ(portico::testing::read_file(folder + "/HEAD"), "ref: refs/heads/trunk\n");
  EXPECT_TRUE(Store::open(folder));
  EXPECT_EQ(init_bare(folder, "trunk").error().code, Code::kConflict);
}

TEST_F(StoreTest, FindsLocalRepositories) {
  const std::string here = temp_.path().string();
  EXPECT_EQ(find_local(bare_ + "/")->folder, bare_);
  EXPECT_EQ(find_local(bare_)->work_tree, "");
  run(here, {"clone", "-q", bare_, "work"});
  EXPECT_EQ(find_local(here + "/work")->folder, here + "/work/.git");
  EXPECT_EQ(find_local(here + "/work")->work_tree, here + "/work");
  EXPECT_EQ(find_local(here).error().code, Code::kNotFound);
  EXPECT_EQ(find_local(here + "/nothing").error().code, Code::kNotFound);
  run(here, {"init", "-q", "--bare", "--object-format=sha256", "sha256.git"});
  EXPECT_THAT(find_local(here + "/sha256.git").error().text(), HasSubstr("SHA-256"));
  run(here + "/work", {"worktree", "add", "-q", "--detach", "../linked"});
  EXPECT_EQ(find_local(here + "/linked").error().code, Code::kInvalid);
}

// A remote through file:// and a mirror of it.
class RemoteTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    mirror_ = (temp_.path() / "mirror.git").string();
    ASSERT_TRUE(init_bare(mirror_, "main"));
    remote_.url = "file://" + bare_;
    ASSERT_TRUE(fetch(mirror_, remote_));
    StoreOptions options;
    options.push = [this](std::span<const RefChange> changes) {
      ++pushes_;
      return push(mirror_, remote_, changes);
    };
    options.catch_up = [this] { return fetch(mirror_, remote_); };
    store_ = *Store::open(mirror_, std::move(options));
  }

  std::string mirror_;
  RemoteAddress remote_;
  std::atomic<int> pushes_{0};
  std::unique_ptr<Store> store_;
};

TEST_F(RemoteTest, WritesArriveThere) {
  Oid made;
  ASSERT_TRUE(move_ref(*store_, "refs/heads/x", {}, "1", &made));
  EXPECT_EQ(run(bare_, {"rev-parse", "x"}), made.hex());
  EXPECT_EQ(run(mirror_, {"rev-parse", "x"}), made.hex());
  EXPECT_EQ(fsck(bare_), "");
  EXPECT_EQ(fsck(mirror_), "");
}

TEST_F(RemoteTest, APlanIsRunAgainWhereTheRemoteMoved) {
  run(bare_, {"commit-tree", "main^{tree}", "-m", "elsewhere", "-p", "main"});
  const std::string elsewhere =
      run(bare_, {"commit-tree", "main^{tree}", "-m", "elsewhere", "-p", "main"});
  run(bare_, {"update-ref", "refs/heads/main", elsewhere});
  int runs = 0;
  const auto done = store_->write([&](Batch& batch) -> Result<Done> {
    ++runs;
    PORTICO_TRY(const Oid now, batch.lock("refs/heads/main"));
    Staging staging;
    const Oid next = stage_commit(staging, "on top", {now});
    batch.add(staging);
    return batch.set("refs/heads/main", next);
  });
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(run(bare_, {"rev-parse", "main^"}), elsewhere) << "nothing is lost";
  // A write that insists on what it saw is told.
  const Oid stale = id_of(elsewhere);
  EXPECT_EQ(move_ref(*store_, "refs/heads/main", stale, "late").error().code, Code::kConflict);
}

TEST_F(RemoteTest, WhatTheRemoteRefusesStopsOnlyItsWriter) {
  portico::testing::write_file(bare_ + "/hooks/update",
                               "#!/bin/sh\ncase $1 in *forbidden*) echo no; exit 1;; esac\n");
  fs::permissions(bare_ + "/hooks/update", fs::perms::owner_all);
  std::atomic<int> refused{0}, good{0};
  std::vector<std::jthread> writers;
  for (int i = 0; i < 6; ++i)
    writers.emplace_back([&, i] {
      const auto done = move_ref(
          *store_, fmt::format("refs/heads/{}{}", i == 3 ? "forbidden" : "fine", i), {}, "1");
      if (done) ++good;
      if (!done && mend_of(done.error()) == Mend::kPerson) ++refused;
    });
  writers.clear();
  EXPECT_EQ(good, 5);
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(git_try(mirror_, {"rev-parse", "--verify", "-q", "forbidden3"}).status, 1);
}

TEST_F(RemoteTest, FetchFollowsAndPrunesButKeepsOurOwn) {
  const Oid main = id_of(run(bare_, {"rev-parse", "main"}));
  run(mirror_, {"update-ref", "refs/portico/drafts/a/w", main.hex()});
  run(bare_, {"branch", "gone", "main"});
  ASSERT_TRUE(fetch(mirror_, remote_));
  EXPECT_NE((*store_->refs().snapshot())->find("refs/heads/gone"), nullptr);
  run(bare_, {"branch", "-D", "gone"});
  run(bare_, {"tag", "t", "main"});
  ASSERT_TRUE(fetch(mirror_, remote_));
  const auto snapshot = *store_->refs().snapshot();
  EXPECT_EQ(snapshot->find("refs/heads/gone"), nullptr);
  EXPECT_NE(snapshot->find("refs/tags/t"), nullptr);
  EXPECT_NE(snapshot->find("refs/portico/drafts/a/w"), nullptr);
}

TEST_F(RemoteTest, LocksOfAKilledGitAreRemovedFromAMirror) {
  run(bare_, {"branch", "new", "main"});
  for (const char* name : {"/refs/heads/new.lock", "/packed-refs.lock"})
    portico::testing::write_file(mirror_ + name, "");
  EXPECT_THAT(fetch(mirror_, remote_).error().text(), HasSubstr(".lock"));
  ASSERT_TRUE(fetch_alone(mirror_, remote_));
  EXPECT_NE((*store_->refs().snapshot())->find("refs/heads/new"), nullptr);

  const std::string lock = mirror_ + "/refs/heads/main.lock",
                    pack = mirror_ + "/objects/pack/tmp_pack_x";
  for (const bool mirror : {false, true}) {
    portico::testing::write_file(lock, "");
    portico::testing::write_file(pack, "");
    StoreOptions options;
    options.mirror = mirror;
    ASSERT_TRUE(Store::open(mirror_, options));
    EXPECT_EQ(fs::exists(lock), !mirror) << "elsewhere it may be a person's";
    EXPECT_EQ(fs::exists(pack), !mirror);
  }
}

TEST_F(RemoteTest, AbsentRemotesAreNamedWithoutSecrets) {
  RemoteAddress remote;
  remote.url = "file://" + temp_.path().string() + "/nothing.git";
  EXPECT_EQ(mend_of(fetch(mirror_, remote).error()), Mend::kPerson);
  remote.url = "http://127.0.0.1:1/a.git?token=hidden";
  remote.username = "bob";
  remote.password = "verysecret";
  const Error error = fetch(mirror_, remote).error();
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_THAT(error.text(), Not(HasSubstr("verysecret")));
  EXPECT_THAT(error.text(), Not(HasSubstr("hidden")));
}

// A remote that takes the connection and says nothing; the number of its port.
struct Silent {
  Silent() : listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const where = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener, where, size), 0);
    EXPECT_EQ(::listen(listener, 1), 0);
    EXPECT_EQ(::getsockname(listener, where, &size), 0);
    port = ntohs(address.sin_port);
  }
  ~Silent() { ::close(listener); }
  Silent(const Silent&) = delete;
  Silent& operator=(const Silent&) = delete;

  int listener, port = 0;
};

TEST(Remote, IsGivenUpWhenNothingComes) {
  const Silent silent;
  const TempDir temp;
  make_bare(temp.path().string(), "mirror.git");
  RemoteAddress remote;
  remote.url = fmt::format("git://127.0.0.1:{}/x.git", silent.port);
  remote.silence = std::chrono::seconds(1);
  const Error error = fetch(temp.path().string() + "/mirror.git", remote).error();
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_EQ(error.text(), "git fetch made no progress for 1 s");
}

TEST(Remote, IsLeftAloneWhenAskedToStop) {
  const Silent silent;
  const TempDir temp;
  make_bare(temp.path().string(), "mirror.git");
  StopSource stop;
  RemoteAddress remote;
  remote.url = fmt::format("git://127.0.0.1:{}/x.git", silent.port);
  remote.stopped = stop.stop();
  std::jthread server([&] {
    const int connection = ::accept(silent.listener, nullptr, nullptr);
    stop.ask();  // git is there by now, and waits
    char byte = 0;
    while (::read(connection, &byte, 1) > 0) {
    }
    ::close(connection);
  });
  const auto fetched = fetch((temp.path() / "mirror.git").string(), remote);
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, Code::kUnavailable);
  EXPECT_THAT(fetched.error().text(), HasSubstr("git fetch was stopped before it was done"));
  EXPECT_THAT(fetch((temp.path() / "mirror.git").string(), remote).error().text(),
              HasSubstr("not begun"));
  server.join();  // git is gone, or this would not end
}

}  // namespace
}  // namespace portico::git
