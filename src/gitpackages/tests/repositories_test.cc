// Opening repositories: one of many callers opens, and its failure does not block the others.
#include "gitpackages/repositories.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "base/hash.h"
#include "store/embedded.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::gitpackages {
namespace {

using json::Value;
namespace fs = std::filesystem;

Value repository_at(const std::string& url) {
  return Value::object(
             {{"apiVersion", Value(api::kConfigV1Alpha1)}, {"kind", Value(api::kRepositoryKind)}})
      .with_at({"metadata", "name"}, "edge")
      .with_at({"metadata", "namespace"}, "team")
      .with_at({"spec", "git", "repo"}, url);
}

class RepositoriesTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (temp_.path() / name).string(); }

  Options options(Meter* meter = nullptr) {
    return {.registry = *registry_, .clock = clock_, .mirrors = path("mirrors"), .meter = meter};
  }

  portico::testing::TempDir temp_;
  SystemClock clock_;
  std::unique_ptr<registry::Registry> registry_ = *store::open_embedded({});
};

/// Throws when it receives the duration of a fetch.
class ThrowingMeter : public Meter {
 public:
  void count(const std::string&, const std::string&, const Labels&, double) override {}
  void set(const std::string&, const std::string&, const Labels&, double) override {}
  void took(const std::string&, const std::string&, const Labels&, double) override {
    throw std::runtime_error("out of memory");
  }
  std::unique_ptr<Reading> on_read(std::function<void()>) override { return nullptr; }
};

TEST_F(RepositoriesTest, AnOpeningThatThrowsLeavesNobodyWaiting) {
  ThrowingMeter meter;
  Repositories all(options(&meter));
  const Value repository = repository_at("git://127.0.0.1:1/edge.git");
  EXPECT_FALSE(all.open(repository));
  EXPECT_FALSE(all.open(repository)) << "it would wait for the first one for ever";
}

TEST_F(RepositoriesTest, WhatOnlyThisMachineHasIsRefusedWhereOthersShareTheWork) {
  portico::testing::make_bare(temp_.path().string(), "edge.git");
  Options shared = options();
  shared.local_repositories = false;
  shared.local_drafts = false;
  Repositories all(shared);
  for (const std::string& url : {path("edge.git"), "file://" + path("edge.git")}) {
    const auto opened = all.open(repository_at(url));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::kInvalid);
    EXPECT_NE(opened.error().text().find("a local path on the server"), std::string::npos);
    EXPECT_FALSE(all.check(repository_at(url), Value()));
  }
  const auto drafts = all.open(
      repository_at("git://127.0.0.1:1/edge.git").with_at({"spec", "git", "drafts"}, "local"));
  ASSERT_FALSE(drafts);
  EXPECT_EQ(drafts.error().code, Code::kInvalid);
  EXPECT_NE(drafts.error().text().find("spec.git.drafts"), std::string::npos);
}

TEST_F(RepositoriesTest, AnotherProcesssCommitIsFetched) {
  portico::testing::make_bare(temp_.path().string(), "edge.git");
  const Value repository =
      repository_at(path("edge.git")).with_at({"spec", "git", "drafts"}, "local");
  Repositories all(options());
  const auto opened = all.open(repository);
  ASSERT_TRUE(opened) << opened.error().text();
  const std::string origin = path("edge.git");
  const std::string commit =
      portico::testing::git(origin, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com",
                                     "commit-tree", "main^{tree}", "-p", "main", "-m", "another"});
  portico::testing::git(origin, {"update-ref", "refs/heads/main", commit});
  EXPECT_NE(*opened->git->head(), commit);
  ASSERT_TRUE(opened->git->know(commit));
  EXPECT_EQ(*opened->git->head(), commit);
  EXPECT_TRUE(opened->git->know(std::string(40, '0')))
      << "that nobody has it is told where it is read";
}

TEST_F(RepositoriesTest, AFailureIsNotKept) {
  Repositories all(options());
  const Value repository = repository_at(path("edge.git"));
  EXPECT_FALSE(all.open(repository));
  portico::testing::make_bare(temp_.path().string(), "edge.git");
  const auto opened = all.open(repository);
  ASSERT_TRUE(opened) << opened.error().text();
  EXPECT_EQ(all.open(repository)->git, opened->git) << "opened once";
  const auto other = all.open(repository.with_at({"spec", "git", "directory"}, "apps"));
  ASSERT_TRUE(other);
  EXPECT_NE(other->git, opened->git) << "with another spec it is another one";
}

TEST_F(RepositoriesTest, TheFirstToAskTakesTheMirrorThatWasSharedByAll) {
  const std::string url = "git://127.0.0.1:1/edge.git";
  const std::string own = mirror_path(path("mirrors"), url, "team", "edge");
  EXPECT_EQ(own, mirror_path(path("mirrors"), url, "team", "edge"));
  EXPECT_NE(own, mirror_path(path("mirrors"), url, "others", "edge"));

  // Named after the URL alone: the first 16 digits of its SHA-256.
  const std::string shared = path("mirrors") + "/" + sha256_hex(url).substr(0, 16) + ".git";
  fs::create_directory(path("mirrors"));
  fs::rename(portico::testing::make_bare(temp_.path().string(), "old.git"), shared);
  Repositories all(options());
  EXPECT_FALSE(all.open(repository_at(url))) << "nobody listens there";
  EXPECT_TRUE(fs::exists(own + "/HEAD"));
  EXPECT_FALSE(fs::exists(shared));
}

}  // namespace
}  // namespace portico::gitpackages
