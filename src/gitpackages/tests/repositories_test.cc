// Opening of repositories: by one of many who ask, and whatever becomes of that one.
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

  portico::testing::TempDir temp_;
  std::unique_ptr<registry::Registry> registry_ = *store::open_embedded({});
};

/// Is told how long a fetch took, and cannot take it.
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
  Repositories all(
      {.registry = *registry_, .clock = clock_, .mirrors = path("mirrors"), .meter = &meter});
  const Value repository = repository_at("git://127.0.0.1:1/edge.git");
  EXPECT_FALSE(all.open(repository));
  EXPECT_FALSE(all.open(repository)) << "it would wait for the first one for ever";
}

TEST_F(RepositoriesTest, AFailureIsNotKept) {
  Repositories all({.registry = *registry_, .clock = clock_, .mirrors = path("mirrors")});
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

  // Named by the URL alone: the first 16 digits of its SHA-256.
  const std::string shared = path("mirrors") + "/" + sha256_hex(url).substr(0, 16) + ".git";
  fs::create_directory(path("mirrors"));
  fs::rename(portico::testing::make_bare(temp_.path().string(), "old.git"), shared);
  Repositories all({.registry = *registry_, .clock = clock_, .mirrors = path("mirrors")});
  EXPECT_FALSE(all.open(repository_at(url))) << "nobody listens there";
  EXPECT_TRUE(fs::exists(own + "/HEAD"));
  EXPECT_FALSE(fs::exists(shared));
}

}  // namespace
}  // namespace portico::gitpackages
