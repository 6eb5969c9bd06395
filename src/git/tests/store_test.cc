#include "git/store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "base/world_error.h"
#include "git/local.h"
#include "git/tests/store_fixture.h"

namespace portico::git {
namespace {

namespace fs = std::filesystem;
using portico::testing::fsck;
using portico::testing::git_try;
using ::testing::HasSubstr;
using ::testing::Not;

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
  // In one batch: the leader runs the plans of all writers. They arrive while the store is blocked.
  // A late writer forms a batch of its own, and then the round is repeated.
  constexpr int kWriters = 16;
  bool together = false;
  for (int round = 0; round < 100 && !together; ++round) {
    std::atomic<int> come{0}, good{0}, stale{0};
    std::vector<std::thread::id> leaders(kWriters);
    std::vector<std::jthread> writers;
    ASSERT_TRUE(store->exclusively([&]() -> Result<Done> {
      for (int i = 0; i < kWriters; ++i)
        writers.emplace_back([&, i, round] {
          const bool late = i % 2 == 0;
          const std::string own = fmt::format("refs/heads/{}{}-{}", late ? "late" : "b", round, i);
          Staging staging;
          const Oid id = stage_commit(staging, std::to_string(i));
          ++come;
          const auto done = store->write([&](Batch& batch) -> Result<Done> {
            leaders[static_cast<std::size_t>(i)] = std::this_thread::get_id();
            PORTICO_TRY([[maybe_unused]] const Oid none, batch.lock(own));
            batch.add(staging);
            PORTICO_DO(batch.set(own, id));
            if (!late) return Done{};
            PORTICO_TRY(const Oid now, batch.lock("refs/heads/a"));
            if (!now.is_zero()) return conflict("a is at {}", now.short_hex());
            return batch.set("refs/heads/a", id);
          });
          if (done) ++good;
          if (!done && done.error().code == Code::kConflict) ++stale;
        });
      while (come < kWriters) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(round));
      return Done{};
    }));
    writers.clear();
    ASSERT_EQ(good, 8);
    ASSERT_EQ(stale, 8);
    together = std::all_of(leaders.begin(), leaders.end(),
                           [&](const auto& one) { return one == leaders.front(); });
  }
  EXPECT_TRUE(together) << "no batch had them all";
  EXPECT_EQ(run(bare_, {"for-each-ref", "refs/heads/late*"}), "") << "what came before the refusal";
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
  // Within one batch the later one is refused.
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
  options.packs = 12;  // so that packs are consolidated during the test
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

TEST_F(StoreTest, WritersWithoutEndKeepNoTaskOut) {
  auto store = open_here();
  std::atomic<bool> over = false;
  std::vector<std::jthread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&, i] {
      const std::string ref = "refs/heads/w" + std::to_string(i);
      Oid at;
      for (int n = 0; !over; ++n) ASSERT_TRUE(move_ref(*store, ref, at, std::to_string(n), &at));
    });
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(store->exclusively([] { return Result<Done>(Done{}); }));
  over = true;
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

// Kills a writer again and again. Every state it leaves is consistent: each ref has the value its
// writer announced, or one step further.
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
        // Two refs that move together; one of them is alternately created and removed.
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
    // A git that it started also holds the pipe; until that git exits it may remove packs.
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
    run(bare_, {"update-ref", "refs/heads/by-git", "main"});  // no stale lock blocks it
    run(bare_, {"pack-refs", "--all"});
  }
}

TEST_F(StoreTest, ABareRepositoryIsMadeWholeOrNotAtAll) {
  const std::string folder = bare_ + "-mirror";
  portico::testing::write_file(folder + ".new/HEAD", "");  // left by a process that was killed
  ASSERT_TRUE(init_bare(folder, "trunk"));
  EXPECT_FALSE(fs::exists(folder + ".new"));
  EXPECT_EQ(portico::testing::read_file(folder + "/HEAD"), "ref: refs/heads/trunk\n");
  EXPECT_TRUE(Store::open(folder));
  EXPECT_EQ(init_bare(folder, "trunk").error().code, Code::kConflict);
}

TEST_F(StoreTest, AProcessThatHoldsTheParentFolderDelaysABareRepositoryForALimitedTime) {
  const std::string parent = temp_.path().string() + "/mirrors", folder = parent + "/a.git";
  ASSERT_TRUE(fs::create_directories(parent));
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const int fd = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY);
    static_cast<void>(::write(ready[1], ::flock(fd, LOCK_EX) == 0 ? "y" : "n", 1) == 0);
    ::pause();
    ::_exit(0);
  }
  char held = 0;
  ASSERT_EQ(::read(ready[0], &held, 1), 1);
  ASSERT_EQ(held, 'y');

  const auto late = init_bare(folder, "main", {}, std::chrono::seconds(0));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::kUnavailable);
  EXPECT_THAT(late.error().text(), HasSubstr(parent));
  EXPECT_THAT(late.error().text(), HasSubstr("locked by another process"));
  StopSource stop;
  stop.ask();
  const auto stopped = init_bare(folder, "main", stop.stop());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Code::kUnavailable);
  EXPECT_THAT(stopped.error().text(), HasSubstr("stopped while waiting for"));
  EXPECT_FALSE(init_bare(folder, "main", Stop::at_time(std::chrono::steady_clock::now())));
  EXPECT_FALSE(fs::exists(folder));

  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_TRUE(init_bare(folder, "main"));
  ::close(ready[0]);
  ::close(ready[1]);
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

}  // namespace
}  // namespace portico::git
