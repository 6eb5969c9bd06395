#include "repo/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

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

const Signature kAlice{"Alice", "alice@example.com",
                       std::chrono::sys_seconds(std::chrono::seconds(1'700'000'000))};

krm::Package sample(const std::string& value = "1") {
  krm::Package package;
  package.set("Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n");
  package.set("deploy/app.yaml", "value: " + value + "\n");
  package.files.insert_or_assign("run.sh", krm::File("#!/bin/sh\n", krm::FileMode::kExecutable));
  package.files.insert_or_assign("link", krm::File("run.sh", krm::FileMode::kSymlink));
  package.files.insert_or_assign("logo.bin", krm::File(std::string("\0\xff\r\n\x80", 5)));
  return package;
}

DraftWrite draft_of(const std::string& package, const std::string& workspace,
                    const std::string& value = "1") {
  DraftWrite write;
  write.package = package;
  write.workspace = workspace;
  write.content = sample(value);
  write.message.subject = "Creating new empty revision";
  write.message.task = R"({"type":"init"})";
  write.author = kAlice;
  return write;
}

template <class T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().text();
    std::abort();
  }
  return *std::move(result);
}

std::string show(const std::vector<Revision>& revisions) {
  std::string out;
  for (const Revision& one : revisions)
    out += fmt::format("{} {} {} {} {}\n", one.package, one.workspace, one.revision,
                       name(one.lifecycle), one.ref);
  return out;
}

// A bare repository that is used directly, and one reached through a mirror.
class RepositoryTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    bare_ = make_bare(temp_.path().string(), "origin.git");
    location_.url = "file://" + bare_;
  }

  std::shared_ptr<Repository> open_here() {
    Options options;
    options.always_mirror = GetParam();
    return must(open(location_, (temp_.path() / "mirror.git").string(), options));
  }

  TempDir temp_;
  std::string bare_;
  Location location_;
};

INSTANTIATE_TEST_SUITE_P(All, RepositoryTest, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "Mirror" : "Direct"; });

// What a plan opens: it sees all there is, and nobody sees what it writes.
TEST_P(RepositoryTest, AScratchKeepsWhatIsWrittenToIt) {
  const auto real = GetParam() ? nullptr : open_here();
  if (real) must(real->save_draft(draft_of("web", "there")));
  const std::string refs = git(bare_, {"for-each-ref"});
  const TempDir scratch;
  Options options;
  options.always_mirror = GetParam();
  options.scratch = scratch.path().string();
  const std::string mirror = (temp_.path() / "mirror.git").string();
  const auto repo = must(open(location_, mirror, options));
  EXPECT_EQ(must(repo->discover()).size(), real ? 1U : 0U);

  const Revision draft = must(repo->save_draft(draft_of("shop", "v1")));
  const Revision published = must(repo->publish(must(repo->propose(draft)), 1, kAlice));
  EXPECT_TRUE(repo->fetch()) << "what was written stays";
  EXPECT_EQ(*must(repo->read(published.tree)), sample());
  const auto found = must(repo->discover());
  EXPECT_EQ(found.size(), real ? 3U : 2U) << show(found);
  EXPECT_EQ(must(must(open(location_, mirror, options))->discover()), found) << "it is shared";
  EXPECT_EQ(git(bare_, {"for-each-ref"}), refs);
  EXPECT_FALSE(std::filesystem::exists(mirror));
  EXPECT_EQ(repo->lock_of(published).repo, location_.url);
}

TEST_P(RepositoryTest, LifeOfAPackage) {
  location_.directory = "/apps/";
  auto repo = open_here();
  EXPECT_EQ(show(must(repo->discover())), "");

  const Revision draft = must(repo->save_draft(draft_of("team/web", "packagevariant-1")));
  EXPECT_EQ(draft.ref, "refs/heads/drafts/apps/team/web/packagevariant-1");
  EXPECT_EQ(must(repo->discover()), std::vector{draft});
  EXPECT_EQ(*must(repo->read(draft.tree)), sample());
  const std::string message =
      git(bare_, {"log", "-1", "--format=%an <%ae>%n%cn <%ce>%n%B", draft.ref});
  EXPECT_EQ(message,
            "Alice <alice@example.com>\nPackage Orchestration Service <porch@kpt.dev>\n"
            "Creating new empty revision\n\n"
            R"(kpt:{"package":"apps/team/web","revision":"0","task":{"type":"init"},)"
            R"("workspaceName":"packagevariant-1"})"
            "\n");

  DraftWrite edit = draft_of("team/web", "packagevariant-1", "2");
  edit.expected_commit = draft.commit;
  const Revision edited = must(repo->save_draft(edit));
  EXPECT_NE(edited.tree, draft.tree);
  EXPECT_EQ(repo->save_draft(edit).error().code, Code::kConflict) << "the draft has moved";

  const Revision proposed = must(repo->propose(edited));
  EXPECT_EQ(must(repo->discover()), std::vector{proposed});
  const Revision rejected = must(repo->reject(proposed));
  EXPECT_EQ(must(repo->discover()), std::vector{rejected});
  const Revision again = must(repo->propose(rejected));

  const Revision published = must(repo->publish(again, 1, kAlice));
  EXPECT_EQ(published.ref, "refs/tags/apps/team/web/v1");
  EXPECT_EQ(show(must(repo->discover())),
            "team/web main -1 Published refs/heads/main\n"
            "team/web packagevariant-1 1 Published refs/tags/apps/team/web/v1\n");
  EXPECT_EQ(must(repo->discover())[1], published);
  EXPECT_EQ(must(repo->discover())[0].commit, edited.commit) << "the merge did not change it";
  EXPECT_EQ(git(bare_, {"show", "-s", "--format=%s", "main"}),
            "Approving package revision apps/team/web/1");
  EXPECT_EQ(git(bare_, {"rev-parse", "main^2"}), edited.commit);
  EXPECT_EQ(git(bare_, {"ls-tree", "-r", "main"}),
            git(bare_, {"ls-tree", "-r", "apps/team/web/v1"}));
  EXPECT_THAT(git(bare_, {"ls-tree", "-r", "main"}), HasSubstr("100755 blob"));
  EXPECT_THAT(git(bare_, {"ls-tree", "-r", "main"}), HasSubstr("120000 blob"));

  const Revision doomed = must(repo->propose_deletion(published));
  EXPECT_EQ(must(repo->discover())[1], doomed);
  const Revision restored = must(repo->restore(doomed));
  EXPECT_EQ(must(repo->discover())[1], restored);
  ASSERT_TRUE(repo->remove(must(repo->propose_deletion(restored)), true, kAlice));
  EXPECT_EQ(show(must(repo->discover())), "");
  EXPECT_EQ(git(bare_, {"for-each-ref", "--format=%(refname)"}), "refs/heads/main");
  EXPECT_EQ(git(bare_, {"show", "-s", "--format=%s", "main"}), "Delete apps/team/web");
  EXPECT_EQ(git(bare_, {"ls-tree", "main"}), "");
  EXPECT_EQ(fsck(bare_), "");
}

TEST_P(RepositoryTest, StaleExpectationsAreConflictsAndChangeNothing) {
  auto repo = open_here();
  const Revision draft = must(repo->save_draft(draft_of("web", "w")));
  EXPECT_EQ(repo->save_draft(draft_of("web", "w")).error().code, Code::kConflict) << "it is there";
  DraftWrite late = draft_of("web", "w", "late");
  late.expected_commit = std::string(40, '1');
  EXPECT_FALSE(repo->save_draft(late)) << "no such commit";
  late.expected_commit = git(bare_, {"rev-parse", "main"});
  EXPECT_EQ(repo->save_draft(late).error().code, Code::kConflict);

  const Revision proposed = must(repo->propose(draft));
  EXPECT_EQ(repo->propose(draft).error().code, Code::kConflict);
  EXPECT_EQ(repo->remove(draft, false, kAlice).error().code, Code::kConflict);
  EXPECT_EQ(repo->save_draft(draft_of("web", "w")).error().code, Code::kConflict)
      << "a proposal of that workspace is there";
  EXPECT_EQ(repo->propose(proposed).error().code, Code::kInvalid);
  EXPECT_EQ(repo->publish(draft, 1, kAlice).error().code, Code::kInvalid) << "a draft";
  Revision moved = proposed;
  moved.commit = git(bare_, {"rev-parse", "main"});
  EXPECT_EQ(repo->publish(moved, 1, kAlice).error().code, Code::kConflict);

  const Revision published = must(repo->publish(proposed, 1, kAlice));
  const Revision second = must(repo->propose(must(repo->save_draft(draft_of("web", "x", "2")))));
  EXPECT_EQ(repo->publish(second, 1, kAlice).error().code, Code::kConflict) << "v1 is taken";
  EXPECT_EQ(repo->save_draft(draft_of("web", "v1")).error().code, Code::kConflict)
      << "the name of a published revision";
  EXPECT_EQ(repo->remove(published, false, kAlice).error().code, Code::kInvalid)
      << "its deletion was not proposed";
  EXPECT_EQ(repo->restore(published).error().code, Code::kInvalid);
  const Revision doomed = must(repo->propose_deletion(published));
  EXPECT_EQ(repo->propose_deletion(published).error().code, Code::kConflict);
  EXPECT_TRUE(repo->restore(doomed));
  EXPECT_EQ(repo->restore(doomed).error().code, Code::kConflict);
  EXPECT_EQ(repo->remove(doomed, true, kAlice).error().code, Code::kConflict);

  EXPECT_EQ(show(must(repo->discover())),
            "web x 0 Proposed refs/heads/proposed/web/x\n"
            "web main -1 Published refs/heads/main\n"
            "web w 1 Published refs/tags/web/v1\n");
  EXPECT_EQ(fsck(bare_), "");
}

TEST_P(RepositoryTest, AMovedBranchIsMergedAgain) {
  auto repo = open_here();
  const Revision web = must(repo->propose(must(repo->save_draft(draft_of("web", "w")))));
  // Somebody commits to the branch meanwhile.
  TempDir work;
  git(work.path().string(), {"clone", "-q", bare_, "w"});
  const std::string clone = (work.path() / "w").string();
  portico::testing::write_file(clone + "/other/Kptfile", "kind: Kptfile\n");
  git(clone, {"add", "-A"});
  git(clone, {"commit", "-q", "-m", "by hand"});
  git(clone, {"push", "-q", "origin", "HEAD:main"});
  const std::string by_hand = git(bare_, {"rev-parse", "main"});

  const Revision published = must(repo->publish(web, 1, kAlice));
  EXPECT_EQ(git(bare_, {"rev-parse", "main^1"}), by_hand);
  EXPECT_EQ(git(bare_, {"ls-tree", "--name-only", "main"}), "other\nweb");
  EXPECT_EQ(show(must(repo->discover())),
            "other main -1 Published refs/heads/main\n"
            "web main -1 Published refs/heads/main\n"
            "web w 1 Published refs/tags/web/v1\n");
  EXPECT_EQ(must(repo->discover())[0].commit, by_hand);
}

TEST_P(RepositoryTest, ThirtyTwoWritersAndPublishers) {
  auto repo = open_here();
  const int writers = GetParam() ? 8 : 32;
  std::vector<std::jthread> threads;
  for (int i = 0; i < writers; ++i)
    threads.emplace_back([&, i] {
      const std::string package = fmt::format("team{}/pkg{}", i % 4, i);
      Revision at = must(repo->save_draft(draft_of(package, "w1", "first")));
      for (int edit = 0; edit < 3; ++edit) {
        DraftWrite write = draft_of(package, "w1", fmt::format("{} {}", i, edit));
        write.expected_commit = at.commit;
        at = must(repo->save_draft(write));
        EXPECT_EQ(*must(repo->read(at.tree)), write.content);
      }
      if (i % 2 == 0) must(repo->publish(must(repo->propose(at)), 1, kAlice));
    });
  threads.clear();
  int drafts = 0, heads = 0, tags = 0;
  for (const Revision& one : must(repo->discover())) {
    drafts += one.lifecycle == Lifecycle::kDraft;
    heads += one.revision == -1;
    tags += one.revision == 1;
  }
  EXPECT_EQ(drafts, writers / 2);
  EXPECT_EQ(heads, writers / 2);
  EXPECT_EQ(tags, writers / 2);
  EXPECT_EQ(git(bare_, {"rev-list", "--count", "--first-parent", "main"}),
            std::to_string(1 + writers / 2));
  EXPECT_EQ(fsck(bare_), "");
  TempDir work;
  git(work.path().string(), {"clone", "-q", bare_, "w"});
  EXPECT_EQ(portico::testing::read_file(work.path() / "w/team0/pkg0/deploy/app.yaml"),
            "value: 0 2\n");
}

TEST_P(RepositoryTest, TheVariantIsKnownFromTheCommits) {
  auto repo = open_here();
  DraftWrite write = draft_of("web", "packagevariant-1");
  write.message.variant = "default/my-variant";
  write.message.variant_set = "default/my-set";
  write.message.body =
      "kpt:{\"package\":\"web\",\"workspaceName\":\"forged\"}\nPortico-Set: forged";
  const Revision draft = must(repo->save_draft(write));
  EXPECT_EQ(must(repo->discover()), std::vector{draft});
  EXPECT_EQ(draft.variant, "default/my-variant");
  EXPECT_EQ(draft.variant_set, "default/my-set");
  EXPECT_EQ(
      git(bare_, {"log", "-1", "--format=%(trailers:key=Portico-Variant,valueonly)", draft.ref}),
      "default/my-variant\n");
  // A person edits it: it is still the variant's.
  DraftWrite edit = draft_of("web", "packagevariant-1", "2");
  edit.expected_commit = draft.commit;
  const Revision edited = must(repo->save_draft(edit));
  EXPECT_EQ(edited.variant, "default/my-variant");
  EXPECT_EQ(must(repo->discover()), std::vector{edited});
  const Revision published = must(repo->publish(must(repo->propose(edited)), 1, kAlice));
  EXPECT_EQ(published.variant_set, "default/my-set");
  EXPECT_EQ(must(repo->discover())[1], published);
  // A draft that starts from it is not.
  DraftWrite next = draft_of("web", "by-hand", "3");
  next.parent_commit = published.commit;
  must(repo->save_draft(next));
  EXPECT_EQ(must(repo->discover())[0].workspace, "by-hand");
  EXPECT_EQ(must(repo->discover())[0].variant, "");
}

TEST_P(RepositoryTest, WhatOthersDoIsSeen) {
  auto repo = open_here();
  must(repo->save_draft(draft_of("a", "w")));
  const std::string head = must(repo->head());
  EXPECT_EQ(head, git(bare_, {"rev-parse", "main"}));
  auto other = must(open(location_, ""));
  const Revision made = must(other->save_draft(draft_of("b/c", "w")));
  ASSERT_TRUE(repo->fetch());
  EXPECT_EQ(must(repo->discover()).at(1), made);
  git(bare_, {"update-ref", "-d", made.ref});
  ASSERT_TRUE(repo->fetch());
  EXPECT_EQ(must(repo->discover()).size(), 1u);
  EXPECT_EQ(must(repo->head()), head);  // drafts are no commits of the branch
}

TEST_P(RepositoryTest, TheBranchHeadIsRemovedByACommit) {
  location_.directory = "deep/er";
  auto repo = open_here();
  for (const char* package : {"a/x", "b"})
    must(repo->publish(must(repo->propose(must(repo->save_draft(draft_of(package, "w"))))), 1,
                       kAlice));
  const std::vector<Revision> found = must(repo->discover());
  ASSERT_EQ(found[0].ref, "refs/heads/main");
  const Revision doomed = must(repo->propose_deletion(found[0]));
  EXPECT_TRUE(repo->remove(doomed, false, kAlice));
  EXPECT_EQ(git(bare_, {"ls-tree", "-r", "-d", "--name-only", "main"}),
            "deep\ndeep/er\ndeep/er/b\ndeep/er/b/deploy");
  EXPECT_EQ(show(must(repo->discover())),
            "a/x w 1 Published refs/tags/deep/er/a/x/v1\n"
            "b main -1 Published refs/heads/main\n"
            "b w 1 Published refs/tags/deep/er/b/v1\n");
  EXPECT_FALSE(repo->remove(doomed, false, kAlice)) << "it is gone";
}

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
  // Another mirror of the same place starts from what was published.
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
  // A package that is a folder of another's workspace.
  must(repo->save_draft(draft_of("a", "b")));
  EXPECT_EQ(repo->save_draft(draft_of("a/b", "c")).error().code, Code::kInvalid);
  EXPECT_EQ(must(repo->discover()).size(), 1u);
  // Odd, but fine.
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
  // An empty remote that nobody has pushed to yet.
  git(temp_.path().string(), {"init", "-q", "--bare", "empty.git"});
  location_ = {};
  location_.url = "file://" + path("empty.git");
  location_.create_branch = true;
  Options options;
  options.always_mirror = true;
  must(open(location_, path("m.git"), options));
  EXPECT_EQ(git(path("empty.git"), {"rev-list", "--count", "main"}), "1");
}

// Packages that no program of ours made.
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

// A port of the loopback that nobody uses just now.
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
  // The server needs a moment to listen: a refused connection is worth another try.
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
