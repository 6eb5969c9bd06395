// Discovery on real fleet repositories (../shared/fixtures/nephio), with git as the oracle.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "repo/names.h"
#include "repo/repository.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::repo {
namespace {

namespace fs = std::filesystem;
using portico::testing::git;
using portico::testing::git_try;

std::vector<std::vector<std::string>> read_table(const fs::path& file) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(portico::testing::read_file(file));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    rows.push_back(row);
  }
  rows.erase(rows.begin());  // the header
  return rows;
}

// A Repository object's name and directory, and the bundle it reads.
struct Registered {
  std::string name, directory, bundle;
};
std::vector<Registered> registered(const fs::path& manifests) {
  std::vector<Registered> out;
  for (const auto& entry : fs::directory_iterator(manifests)) {
    if (entry.path().extension() != ".yaml") continue;
    Registered one;
    std::istringstream lines(portico::testing::read_file(entry.path()));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) continue;
      const std::string key =
          line.substr(line.find_first_not_of(' '), colon - line.find_first_not_of(' '));
      const std::string value = line.substr(colon + 2);
      if (key == "name" && one.name.empty()) one.name = value;
      if (key == "directory") one.directory = value;
      if (key == "repo") one.bundle = fs::path(value).stem();
    }
    out.push_back(one);
  }
  return out;
}

class FixtureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const fs::path shared = portico::testing::shared_dir();
    if (shared.empty()) GTEST_SKIP() << "../shared is not there";
    nephio_ = shared / "fixtures" / "nephio";
    for (const char* name : {"catalog", "nephio-example-packages"})
      git(temp_.path().string(),
          {"clone", "--quiet", "--bare",
           (nephio_ / "repos" / (std::string(name) + ".bundle")).string(), bare(name)});
  }
  std::string bare(const std::string& name) const {
    return (temp_.path() / (name + ".git")).string();
  }
  std::vector<Revision> discover(const Registered& from) {
    Location location;
    location.url = "file://" + bare(from.bundle);
    location.directory = from.directory;
    auto repo = open(location, "");
    EXPECT_TRUE(repo) << (repo ? "" : repo.error().text());
    if (!repo) return {};
    auto found = (*repo)->discover();
    EXPECT_TRUE(found) << (found ? "" : found.error().text());
    return found ? *found : std::vector<Revision>();
  }

  portico::testing::TempDir temp_;
  fs::path nephio_;
};

TEST_F(FixtureTest, BranchHeadsAreThePackagesOfTheTable) {
  std::map<std::string, std::set<std::string>> want;
  for (const auto& row : read_table(nephio_ / "packages.tsv")) want[row.at(0)].insert(row.at(2));
  int heads = 0;
  for (const Registered& one : registered(nephio_ / "manifests" / "repositories")) {
    if (!want.contains(one.name)) continue;
    SCOPED_TRACE(one.name);
    const std::string directory = *clean_directory(one.directory);
    std::set<std::string> have;
    for (const Revision& revision : discover(one)) {
      if (revision.revision != -1 || revision.ref != "refs/heads/main") continue;
      ++heads;
      const std::string path = join_path(directory, revision.package);
      have.insert(path);
      EXPECT_EQ(revision.workspace, "main");
      EXPECT_EQ(revision.lifecycle, Lifecycle::kPublished);
      EXPECT_EQ(revision.tree, git(bare(one.bundle), {"rev-parse", "main:" + path}));
      EXPECT_EQ(revision.commit,
                git(bare(one.bundle), {"log", "-1", "--format=%H", "main", "--", path}));
      EXPECT_EQ(revision.author,
                git(bare(one.bundle), {"show", "-s", "--format=%an <%ae>", revision.commit}));
    }
    EXPECT_EQ(have, want[one.name]);
  }
  EXPECT_EQ(heads, 64);
}

TEST_F(FixtureTest, TagsBelowTheDirectoryAreRevisions) {
  for (const Registered& one : registered(nephio_ / "manifests" / "repositories")) {
    SCOPED_TRACE(one.name);
    const std::string directory = *clean_directory(one.directory);
    // tag -> commit, where the commit has a Kptfile at the tag's path
    std::map<std::string, std::string> want, have;
    std::istringstream tags(git(bare(one.bundle), {"tag"}));
    for (std::string tag; std::getline(tags, tag);) {
      const std::size_t slash = tag.rfind('/');
      if (slash == std::string::npos) continue;
      const std::string path = tag.substr(0, slash);
      if (below(path, directory).empty()) continue;
      if (git_try(bare(one.bundle), {"cat-file", "-e", tag + ":" + path + "/Kptfile"}).status != 0)
        continue;
      want[tag] = git(bare(one.bundle), {"rev-parse", tag + "^{commit}"});
    }
    for (const Revision& revision : discover(one)) {
      if (!revision.ref.starts_with("refs/tags/")) continue;
      const std::string tag = revision.ref.substr(10);
      const std::string version = tag.substr(tag.rfind('/') + 1);
      have[tag] = revision.commit;
      EXPECT_EQ(tag, join_path(directory, revision.package) + "/" + version);
      EXPECT_EQ(revision.workspace, version) << "no commit of these has a kpt line for its package";
      const bool whole = version.find_first_not_of("0123456789", 1) == std::string::npos;
      EXPECT_EQ(revision.revision, whole ? std::stoi(version.substr(1)) : -1) << tag;
    }
    EXPECT_EQ(have, want);
  }
}

TEST_F(FixtureTest, EveryTagOfTheTableIsFound) {
  std::map<std::string, std::string> commits;  // of all revisions, by tag
  for (const Registered& one : registered(nephio_ / "manifests" / "repositories"))
    if (one.bundle == "catalog")
      for (const Revision& revision : discover(one))
        if (revision.revision > 0) commits[revision.ref.substr(10)] = revision.commit;
  Registered all{"catalog", "/", "catalog"};
  std::map<std::string, std::string> everywhere;
  for (const Revision& revision : discover(all))
    if (revision.revision > 0) everywhere[revision.ref.substr(10)] = revision.commit;
  int found = 0;
  for (const auto& row : read_table(nephio_ / "tags.tsv")) {
    const std::string& tag = row.at(0);
    const auto at = everywhere.find(tag);
    ASSERT_NE(at, everywhere.end()) << tag;
    EXPECT_EQ(at->second, row.at(2)) << tag;
    if (commits.contains(tag)) {
      EXPECT_EQ(commits[tag], row.at(2));
    }
    ++found;
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace portico::repo
