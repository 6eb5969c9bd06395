// Mirrors: local writes reach the remote, and the remote's refs reach the mirror.
#include "git/remote.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "base/world_error.h"
#include "git/tests/store_fixture.h"

namespace portico::git {
namespace {

namespace fs = std::filesystem;
using portico::testing::fsck;
using portico::testing::git_try;
using portico::testing::make_bare;
using portico::testing::TempDir;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST_F(RemoteTest, APasswordOfStarsIsHidden) {
  RemoteAddress remote;
  remote.url = "file://" + temp_.path().string() + "/***.git";
  remote.password = "***";
  EXPECT_FALSE(fetch(mirror_, remote)) << "and it comes to an end";
}

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
  // A write that insists on the state it saw gets a conflict.
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
      if (!done && remedy_of(done.error()) == Remedy::kOperator) ++refused;
    });
  writers.clear();
  EXPECT_EQ(good, 5);
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(git_try(mirror_, {"rev-parse", "--verify", "-q", "forbidden3"}).status, 1);
}

// Installs a git whose `push` is killed after it announced its ref changes but before it named the
// objects they need. Its child that packs the objects lives on, and so does the server, as one
// behind a network would. `ended` is a pipe that is closed when the server is done.
std::string killed_git(const fs::path& folder, const std::string& ended) {
  const std::string real = run(".", {"--exec-path"});
  fs::create_directories(folder);
  for (const auto& entry : fs::directory_iterator(real))
    fs::create_symlink(entry.path(), folder / entry.path().filename());
  const auto script = [&](const std::string& name, const std::string& text) {
    fs::remove(folder / name);
    portico::testing::write_file(folder / name, "#!/bin/sh\n" + text);
    fs::permissions(folder / name, fs::perms::owner_all);
  };
  script("git", fmt::format("[ \"$1\" = pack-objects ] || exec {0}/git \"$@\"\n"
                            "kill -9 $PPID; exec setsid {0}/git \"$@\" </dev/null 2>/dev/null\n",
                            real));
  script("git-receive-pack",
         fmt::format("exec 9>{}\nsetsid {}/git-receive-pack \"$@\" 2>/dev/null |"
                     " setsid sh -c \"trap '' PIPE; cat; cat >/dev/null\" 2>/dev/null\n",
                     ended, real));
  return folder.string();
}

TEST_F(RemoteTest, APushThatIsKilledRemovesNothing) {
  Oid proposed;
  ASSERT_TRUE(move_ref(*store_, "refs/heads/proposed/a", {}, "a", &proposed));
  const std::string before = run(bare_, {"for-each-ref"});
  const std::string ended = (temp_.path() / "ended").string();
  ASSERT_EQ(mkfifo(ended.c_str(), 0600), 0);
  const std::string programs = killed_git(temp_.path() / "programs", ended);
  const auto approve = [&] {
    return store_->write([&](Batch& batch) -> Result<Done> {
      PORTICO_TRY(const Oid now, batch.lock("refs/heads/main"));
      PORTICO_TRY(const Oid from, batch.lock("refs/heads/proposed/a"));
      PORTICO_TRY(const Oid tag, batch.lock("refs/tags/a/v1"));
      if (from.is_zero() || !tag.is_zero()) return conflict("it is approved");
      Staging staging;
      const Oid next = stage_commit(staging, "approve", {now, from});
      batch.add(staging);
      PORTICO_DO(batch.set("refs/heads/main", next));
      PORTICO_DO(batch.set("refs/tags/a/v1", next));
      return batch.drop("refs/heads/proposed/a");
    });
  };
  ::setenv("GIT_EXEC_PATH", programs.c_str(), 1);
  std::jthread server([&] { portico::testing::read_file(ended); });
  const auto killed = approve();
  server.join();
  ::unsetenv("GIT_EXEC_PATH");
  EXPECT_FALSE(killed);
  EXPECT_EQ(run(bare_, {"for-each-ref"}), before);
  ASSERT_TRUE(approve());
  EXPECT_EQ(git_try(bare_, {"rev-parse", "--verify", "-q", "proposed/a"}).status, 1);
  EXPECT_EQ(run(bare_, {"rev-parse", "main"}), run(bare_, {"rev-parse", "a/v1"}));
}

TEST_F(RemoteTest, WhereARemovalFailsTheNewIsThereAllTheSame) {
  Oid proposed, draft;
  ASSERT_TRUE(move_ref(*store_, "refs/heads/proposed/a", {}, "a", &proposed));
  ASSERT_TRUE(move_ref(*store_, "refs/heads/drafts/b", {}, "b", &draft));
  portico::testing::write_file(
      bare_ + "/hooks/update",
      "#!/bin/sh\ncase $1:$3 in *proposed*:0000*) echo no; exit 1;; esac\n");
  fs::permissions(bare_ + "/hooks/update", fs::perms::owner_all);
  std::jthread other([&] {
    EXPECT_TRUE(store_->write([&](Batch& batch) -> Result<Done> {
      PORTICO_TRY([[maybe_unused]] const Oid now, batch.lock("refs/heads/drafts/b"));
      return batch.set("refs/heads/drafts/b", Oid{});
    }));
  });
  EXPECT_TRUE(store_->write([&](Batch& batch) -> Result<Done> {
    PORTICO_TRY([[maybe_unused]] const Oid now, batch.lock("refs/heads/proposed/a"));
    PORTICO_TRY([[maybe_unused]] const Oid tag, batch.lock("refs/tags/a/v1"));
    Staging staging;
    const Oid next = stage_commit(staging, "approve", {now});
    batch.add(staging);
    PORTICO_DO(batch.set("refs/tags/a/v1", next));
    return batch.drop("refs/heads/proposed/a");
  }));
  other.join();
  for (const std::string& folder : {bare_, mirror_}) {
    EXPECT_EQ(run(folder, {"rev-parse", "a/v1^"}), proposed.hex());
    EXPECT_EQ(run(folder, {"rev-parse", "proposed/a"}), proposed.hex()) << folder;
    EXPECT_EQ(git_try(folder, {"rev-parse", "--verify", "-q", "drafts/b"}).status, 1) << folder;
  }
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
                    pack = mirror_ + "/objects/pack/tmp_pack_x",
                    repacked = mirror_ + "/objects/pack/.tmp-7-pack-x.pack";
  for (const bool mirror : {false, true}) {
    portico::testing::write_file(lock, "");
    portico::testing::write_file(pack, "");
    portico::testing::write_file(repacked, "");
    StoreOptions options;
    options.mirror = mirror;
    ASSERT_TRUE(Store::open(mirror_, options));
    EXPECT_EQ(fs::exists(lock), !mirror) << "elsewhere it may be a person's";
    EXPECT_EQ(fs::exists(pack), !mirror);
    EXPECT_EQ(fs::exists(repacked), !mirror);
  }
}

TEST_F(RemoteTest, AbsentRemotesAreNamedWithoutSecrets) {
  RemoteAddress remote;
  remote.url = "file://" + temp_.path().string() + "/nothing.git";
  EXPECT_EQ(remedy_of(fetch(mirror_, remote).error()), Remedy::kOperator);
  remote.url = "http://127.0.0.1:1/a.git?token=hidden";
  remote.username = "bob";
  remote.password = "verysecret";
  const Error error = fetch(mirror_, remote).error();
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_THAT(error.text(), Not(HasSubstr("verysecret")));
  EXPECT_THAT(error.text(), Not(HasSubstr("hidden")));
}

// A remote that accepts the connection and never answers.
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
    stop.ask();  // git has connected by now and waits
    char byte = 0;
    while (::read(connection, &byte, 1) > 0) {
    }
    ::close(connection);
  });
  const auto fetched = fetch((temp.path() / "mirror.git").string(), remote);
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, Code::kUnavailable);
  EXPECT_THAT(fetched.error().text(), HasSubstr("git fetch was stopped before it finished"));
  EXPECT_THAT(fetch((temp.path() / "mirror.git").string(), remote).error().text(),
              HasSubstr("not started"));
  server.join();  // git has ended, or this would hang
}

}  // namespace
}  // namespace portico::git
