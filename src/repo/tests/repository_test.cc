#include "repo/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "testing/cases.h"
#include "testing/git_sandbox.h"

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

}  // namespace
}  // namespace portico::repo
