#include "repo/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "repo/tests/repository_fixture.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::repo {
namespace {

using portico::testing::fsck;
using portico::testing::git;
using portico::testing::make_bare;
using portico::testing::TempDir;
using ::testing::HasSubstr;

// A bare repository, used directly or through a mirror.
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

TEST_P(RepositoryTest, CommitsHaveTheAuthorOfTheRepositoryAndSayWhoMadeThem) {
  location_.author = "Fleet";
  location_.email = "fleet@example.com";
  const auto repo = open_here();
  const Revision draft = must(repo->save_draft(draft_of("web", "w1")));
  EXPECT_EQ(draft.author, "Alice <alice@example.com>");
  const Revision published = must(repo->publish(must(repo->propose(draft)), 1, kAlice));
  EXPECT_EQ(published.author, "Alice <alice@example.com>");
  for (const char* commit : {"web/v1", "web/v1^2"}) {
    EXPECT_EQ(git(bare_, {"log", "--format=%an <%ae>", "-1", commit}), "Fleet <fleet@example.com>");
  }
  // The author is also found when reading from git.
  for (const Revision& one : must(open_here()->discover()))
    EXPECT_EQ(one.author, "Alice <alice@example.com>") << one.ref;
  for (const auto& change : must(repo->log(published.commit, "web", 5)))
    EXPECT_EQ(change.author, "Alice <alice@example.com>") << change.subject;
  must(repo->remove(must(repo->propose_deletion(published)), true, kAlice));
  EXPECT_THAT(git(bare_, {"log", "-1", "--format=%an: %B", "main"}),
              ::testing::AllOf(HasSubstr("Fleet: Delete web"),
                               HasSubstr("Portico-User: Alice <alice@example.com>")));
}

TEST_P(RepositoryTest, AProposalThatIsPublishedIsDoneWith) {
  const auto repo = open_here();
  const Revision proposal = must(repo->propose(must(repo->save_draft(draft_of("web", "w1")))));
  const Revision other = must(repo->propose(must(repo->save_draft(draft_of("shop", "w1")))));
  must(repo->publish(proposal, 1, kAlice));
  // An approval that was interrupted before it removed the proposal.
  git(bare_, {"update-ref", proposal.ref, proposal.commit});
  must(repo->fetch());
  const std::string expected = "shop w1 0 Proposed refs/heads/proposed/shop/w1\n";
  EXPECT_THAT(show(must(repo->discover())), HasSubstr(expected));
  EXPECT_THAT(show(must(repo->discover())), ::testing::Not(HasSubstr(proposal.ref)));
  EXPECT_THAT(show(must(repo->discover())), HasSubstr("web w1 1 Published refs/tags/web/v1\n"));
  EXPECT_EQ(git(bare_, {"for-each-ref", "--format=%(refname)", "refs/heads/proposed"}), other.ref);

  // A new commit on the proposal makes it a separate revision.
  git(bare_, {"update-ref", "refs/heads/proposed/web/w1", "refs/tags/web/v1"});
  must(repo->fetch());
  EXPECT_THAT(show(must(repo->discover())),
              HasSubstr("web w1 0 Proposed refs/heads/proposed/web/w1\n"));
}

// What a plan opens: it sees the current state, and its writes are not visible elsewhere.
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
  // Another client commits to the branch meanwhile.
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
  // A user edits it: the draft still belongs to the variant.
  DraftWrite edit = draft_of("web", "packagevariant-1", "2");
  edit.expected_commit = draft.commit;
  const Revision edited = must(repo->save_draft(edit));
  EXPECT_EQ(edited.variant, "default/my-variant");
  EXPECT_EQ(must(repo->discover()), std::vector{edited});
  const Revision published = must(repo->publish(must(repo->propose(edited)), 1, kAlice));
  EXPECT_EQ(published.variant_set, "default/my-set");
  EXPECT_EQ(must(repo->discover())[1], published);
  // A draft that starts from it does not.
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

}  // namespace
}  // namespace portico::repo
