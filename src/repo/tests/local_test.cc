// Repositories found in practice: created manually, checked out, without a branch, with
// unrelated content, behind a server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "repo/tests/repository_fixture.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

extern char** environ;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

namespace portico::repo {
namespace {

using portico::testing::fsck;
using portico::testing::git;
using portico::testing::make_bare;
using portico::testing::TempDir;
using ::testing::HasSubstr;

// A bare repository that is used directly.
class LocalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    bare_ = make_bare(temp_.path().string(), "origin.git");
    location_.url = bare_;
  }
  std::string path(const std::string& name) const { return (temp_.path() / name).string(); }

  TempDir temp_;
  std::string bare_;
  Location location_;
};

TEST_F(LocalTest, DraftsOfAFolderMayStayInTheMirror) {
  location_.push_drafts = false;
  auto repo = must(open(location_, path("mirror.git"), {}));
  const Revision draft = must(repo->save_draft(draft_of("web", "w")));
  EXPECT_EQ(draft.ref, "refs/portico/drafts/web/w");
  EXPECT_EQ(git(bare_, {"for-each-ref", "--format=%(refname)"}), "refs/heads/main");
  auto other = must(open(location_, path("other.git"), {}));
  EXPECT_TRUE(must(other->discover()).empty()) << "it is this mirror's alone";
  must(repo->publish(must(repo->propose(draft)), 1, kAlice));
  EXPECT_EQ(git(bare_, {"for-each-ref", "--format=%(refname)"}),
            "refs/heads/main\nrefs/tags/web/v1");
}

TEST_F(LocalTest, DraftsMayStayInTheMirror) {
  Options options;
  options.always_mirror = true;
  location_.push_drafts = false;
  auto repo = must(open(location_, path("mirror.git"), options));
  const Revision draft = must(repo->save_draft(draft_of("web", "w")));
  EXPECT_EQ(draft.ref, "refs/portico/drafts/web/w");
  EXPECT_EQ(git(bare_, {"for-each-ref", "--format=%(refname)"}), "refs/heads/main");
  ASSERT_TRUE(repo->fetch());
  EXPECT_EQ(must(repo->discover()), std::vector{draft}) << "a fetch does not prune it";
  const Revision proposed = must(repo->propose(draft));
  EXPECT_EQ(must(repo->discover()), std::vector{proposed});
  must(repo->publish(proposed, 1, kAlice));
  EXPECT_EQ(git(bare_, {"for-each-ref", "--format=%(refname)"}),
            "refs/heads/main\nrefs/tags/web/v1");
  EXPECT_EQ(fsck(bare_), "");
  EXPECT_EQ(fsck(path("mirror.git")), "");
  // Another mirror of the same remote starts from what was published.
  auto second = must(open(location_, path("second.git"), options));
  EXPECT_EQ(must(second->discover()).size(), 2u);
}

TEST_F(LocalTest, NamesThatGitCannotHoldAreErrors) {
  auto repo = must(open(location_, ""));
  for (const char* package : {"", "a/", "/a", "a//b", "a/../b", ".git", "a/.GIT", "a b", "a.lock",
                              "a..b", "x~1", "a/.hidden"})
    EXPECT_EQ(repo->save_draft(draft_of(package, "w")).error().code, Code::kInvalid) << package;
  for (const char* workspace : {"", "a/b", "a b", ".x", "x.lock", "x^"})
    EXPECT_FALSE(repo->save_draft(draft_of("web", workspace))) << workspace;
  for (const char* file :
       {"../x", "/etc/passwd", "a/.git/config", "a//b", "./a", ".GIT/x", "GIT~1/x", ""}) {
    DraftWrite write = draft_of("web", "w");
    write.content.set(file, "x");
    EXPECT_EQ(repo->save_draft(write).error().code, Code::kInvalid) << file;
  }
  DraftWrite clash = draft_of("web", "w");
  clash.content.set("deploy", "a file where a folder is");
  EXPECT_EQ(repo->save_draft(clash).error().code, Code::kInvalid);
  DraftWrite bare = draft_of("web", "w");
  bare.content.files.erase("Kptfile");
  EXPECT_EQ(repo->save_draft(bare).error().code, Code::kInvalid);
  // A package path below another package's workspace.
  must(repo->save_draft(draft_of("a", "b")));
  EXPECT_EQ(repo->save_draft(draft_of("a/b", "c")).error().code, Code::kInvalid);
  EXPECT_EQ(must(repo->discover()).size(), 1u);
  // Unusual, but valid.
  for (const char* package : {"Größe", "日本/語", "a@b", "a-b_c"})
    EXPECT_TRUE(repo->save_draft(draft_of(package, "w"))) << package;
  EXPECT_EQ(must(repo->discover()).size(), 5u);
  EXPECT_EQ(fsck(bare_), "");
}

TEST_F(LocalTest, LimitsHold) {
  Options options;
  options.limits.file_bytes = 100;
  options.limits.package_bytes = 300;
  options.limits.files = 6;
  auto repo = must(open(location_, "", options));
  const Revision fits = must(repo->save_draft(draft_of("web", "w")));
  DraftWrite write = draft_of("web", "x");
  write.content.set("big", std::string(101, 'x'));
  EXPECT_EQ(repo->save_draft(write).error().code, Code::kInvalid);
  write = draft_of("web", "x");
  write.content.set("one", "");
  write.content.set("two", "");
  EXPECT_EQ(repo->save_draft(write).error().code, Code::kInvalid);
  options.limits.file_bytes = 10;
  EXPECT_EQ(must(open(location_, "", options))->read(fits.tree).error().code, Code::kInvalid);
  options.limits = {100, 300, 2};
  EXPECT_EQ(must(open(location_, "", options))->read(fits.tree).error().code, Code::kInvalid);
  options.limits = {100, 50, 10};
  EXPECT_EQ(must(open(location_, "", options))->read(fits.tree).error().code, Code::kInvalid);
}

TEST_F(LocalTest, ACheckedOutBranchIsNotWrittenTo) {
  git(temp_.path().string(), {"clone", "-q", bare_, "work"});
  location_.url = path("work");
  auto repo = must(open(location_, ""));
  const Revision proposed = must(repo->propose(must(repo->save_draft(draft_of("web", "w")))));
  const auto refused = repo->publish(proposed, 1, kAlice);
  EXPECT_EQ(refused.error().code, Code::kInvalid);
  EXPECT_THAT(refused.error().text(), HasSubstr("checked out in"));
  git(path("work"), {"checkout", "-q", "--detach"});
  EXPECT_TRUE(repo->publish(proposed, 1, kAlice));
  EXPECT_EQ(fsck(path("work")), "");
}

TEST_F(LocalTest, AMissingBranchIsMadeOnDemand) {
  location_.branch = "trunk";
  EXPECT_EQ(open(location_, "").error().code, Code::kInvalid);
  location_.create_branch = true;
  EXPECT_TRUE(check(location_));
  EXPECT_EQ(git(bare_, {"branch", "--list", "trunk"}), "") << "a check makes nothing";
  auto repo = must(open(location_, ""));
  EXPECT_EQ(git(bare_, {"show", "-s", "--format=%s", "trunk"}),
            "Initial commit: Creating trunk branch");
  EXPECT_EQ(git(bare_, {"ls-tree", "--name-only", "trunk"}), "README.md");
  location_.url = path("nothing.git");
  EXPECT_EQ(open(location_, "").error().code, Code::kNotFound);
  for (const char* branch : {"drafts", "proposed/x", "deletionProposed", "a b"}) {
    location_.branch = branch;
    EXPECT_EQ(open(location_, "").error().code, Code::kInvalid) << branch;
  }
  location_.branch = "trunk";
  location_.directory = "../x";
  EXPECT_EQ(open(location_, "").error().code, Code::kInvalid);
  // An empty remote that has never been pushed to.
  git(temp_.path().string(), {"init", "-q", "--bare", "empty.git"});
  location_ = {};
  location_.url = "file://" + path("empty.git");
  location_.create_branch = true;
  Options options;
  options.always_mirror = true;
  must(open(location_, path("m.git"), options));
  EXPECT_EQ(git(path("empty.git"), {"rev-list", "--count", "main"}), "1");
}

// check() only queries the repository: no mirror of a remote is created.
TEST_F(LocalTest, IsCheckedBeforeItIsOpened) {
  for (const bool remote : {false, true}) {
    SCOPED_TRACE(remote);
    Options options;
    options.always_mirror = remote;
    location_ = {};
    location_.url = bare_;
    EXPECT_TRUE(check(location_, options));
    location_.branch = "ain";  // which "main" ends with
    const auto branch = check(location_, options);
    ASSERT_FALSE(branch);
    EXPECT_EQ(branch.error().code, Code::kInvalid);
    EXPECT_EQ(branch.error().what, fmt::format("branch \"ain\" does not exist in {:?}; create it "
                                               "or set spec.git.createBranch",
                                               bare_));
    location_.create_branch = true;
    EXPECT_TRUE(check(location_, options));
    location_.url = path("nothing.git");
    EXPECT_FALSE(check(location_, options));
  }
}

// Packages that were not created by Portico.
TEST_F(LocalTest, HandMadePackagesAreFound) {
  git(temp_.path().string(), {"clone", "-q", bare_, "work"});
  const std::string work = path("work");
  const auto write = [&](const std::string& file, const std::string& text) {
    portico::testing::write_file(work + "/" + file, text);
  };
  const auto commit = [&](const std::string& message) {
    git(work, {"add", "-A"});
    git(work, {"commit", "-q", "-m", message});
  };
  write("Kptfile", "the root has no name of its own\n");
  write("a/Kptfile", "x\n");
  write("a/sub/Kptfile", "belongs to a\n");
  write("b/c/Kptfile", "x\n");
  write("b/d/Kptfile/file", "a folder called Kptfile\n");
  write("e/readme", "x\n");
  commit("first");
  git(work, {"tag", "a/v1"});
  git(work, {"tag", "a/v2.0.0"});
  git(work, {"tag", "a/v0"});
  git(work, {"tag", "a/v01"});
  git(work, {"tag", "-a", "-m", "annotated", "b/c/v2"});
  git(work, {"tag", "e/v1"});
  git(work, {"tag", "v5"});
  git(work, {"tag", "b/c/blob", "HEAD:a/Kptfile"});
  write("b/c/file", "2\n");
  commit("kpt:{\"package\":\"b/c\",\"workspaceName\":\"ws\",\"revision\":\"7\"}");
  git(work, {"tag", "b/c/v7"});
  git(work, {"tag", "b/c/v8"});
  git(work, {"branch", "drafts/b/c/again"});
  git(work, {"branch", "proposed/e/nothing"});
  git(work, {"branch", "drafts/short"});
  git(work, {"branch", "deletionProposed/b/c/v7"});
  git(work, {"branch", "deletionProposed/a/main"});
  git(work, {"push", "-q", "origin", "--all"});
  git(work, {"push", "-q", "origin", "--tags"});
  auto repo = must(open(location_, ""));
  EXPECT_EQ(show(must(repo->discover())),
            "a v0 -1 Published refs/tags/a/v0\n"
            "a v01 -1 Published refs/tags/a/v01\n"
            "a v2.0.0 -1 Published refs/tags/a/v2.0.0\n"
            "a v1 1 Published refs/tags/a/v1\n"
            "a main -1 DeletionProposed refs/heads/main\n"
            "b/c again 0 Draft refs/heads/drafts/b/c/again\n"
            "b/c main -1 Published refs/heads/main\n"
            "b/c v2 2 Published refs/tags/b/c/v2\n"
            "b/c v8 8 Published refs/tags/b/c/v8\n"
            "b/c ws 7 DeletionProposed refs/tags/b/c/v7\n");
  location_.directory = "b";
  EXPECT_EQ(must(must(open(location_, ""))->discover()).size(), 5u);
  location_.directory = "a";
  EXPECT_EQ(show(must(must(open(location_, ""))->discover())),
            "sub main -1 Published refs/heads/main\n")
      << "the directory's own Kptfile names no package";
  const auto lock = repo->lock_of(must(repo->discover())[9]);
  EXPECT_EQ(lock.repo, bare_);
  EXPECT_EQ(lock.directory, "b/c");
  EXPECT_EQ(lock.ref, "b/c/v7");
}

TEST_F(LocalTest, MissingObjectsAreAnErrorAndNotAnEmptyList) {
  auto repo = must(open(location_, ""));
  must(repo->publish(must(repo->propose(must(repo->save_draft(draft_of("web", "w"))))), 1, kAlice));
  TempDir packs;
  for (const auto& entry : std::filesystem::directory_iterator(bare_ + "/objects/pack"))
    std::filesystem::rename(entry.path(), packs.path() / entry.path().filename());
  EXPECT_FALSE(must(open(location_, ""))->discover());
}

TEST_F(LocalTest, SubmodulesCannotBeRead) {
  git(temp_.path().string(), {"clone", "-q", bare_, "work"});
  const std::string work = path("work");
  git(work, {"update-index", "--add", "--cacheinfo",
             "160000," + git(work, {"rev-parse", "HEAD"}) + ",web/module"});
  portico::testing::write_file(work + "/web/Kptfile", "x\n");
  git(work, {"add", "web/Kptfile"});
  git(work, {"commit", "-q", "-m", "with a submodule"});
  git(work, {"push", "-q", "origin", "HEAD:main"});
  auto repo = must(open(location_, ""));
  const auto read = repo->read(must(repo->discover()).at(0).tree);
  EXPECT_EQ(read.error().code, Code::kInvalid);
  EXPECT_THAT(read.error().text(), HasSubstr("submodule"));
}

// A currently unused loopback port.
int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  int port = 0;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    port = ntohs(address.sin_port);
  ::close(fd);
  return port;
}

TEST_F(LocalTest, ARemoteBehindAServer) {
  const int port = free_port();
  std::vector<std::string> words{"git",
                                 "daemon",
                                 "--reuseaddr",
                                 "--export-all",
                                 "--enable=receive-pack",
                                 "--listen=127.0.0.1",
                                 fmt::format("--port={}", port),
                                 "--base-path=" + temp_.path().string(),
                                 temp_.path().string()};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t daemon = 0;
  const int failed = ::posix_spawnp(&daemon, "git", nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  ASSERT_EQ(failed, 0);

  location_.url = fmt::format("git://127.0.0.1:{}/origin.git", port);
  // The server needs a moment to start listening: retry a refused connection.
  auto repo = open(location_, path("mirror.git"));
  for (int i = 0; i < 100 && !repo && repo.error().code == Code::kUnavailable; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    repo = open(location_, path("mirror.git"));
  }
  EXPECT_TRUE(repo) << repo.error().text();
  if (repo) {
    const Revision proposed =
        must((*repo)->propose(must((*repo)->save_draft(draft_of("web", "w")))));
    const Revision published = must((*repo)->publish(proposed, 1, kAlice));
    EXPECT_EQ(git(bare_, {"rev-parse", "web/v1"}), published.commit);
    EXPECT_EQ(git(bare_, {"for-each-ref", "--format=%(refname)"}),
              "refs/heads/main\nrefs/tags/web/v1");
    location_.url = fmt::format("git://127.0.0.1:{}/other.git", port);
    EXPECT_FALSE(open(location_, path("other.git")));
  }
  ::kill(-daemon, SIGTERM);
  ::waitpid(daemon, nullptr, 0);
  EXPECT_EQ(fsck(bare_), "");
}

}  // namespace
}  // namespace portico::repo
