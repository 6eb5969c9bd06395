// Upgrades along the real history of a package catalog, with local edits in between.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "merge/merge_key.h"
#include "merge/package.h"
#include "merge/subpackages.h"
#include "testing/cases.h"

namespace portico::merge {
namespace {

namespace fs = std::filesystem;

krm::Package read_package(const fs::path& folder) {
  krm::Package package;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      package.set(fs::relative(entry.path(), folder).generic_string(),
                  testing::read_file(entry.path()));
  return package;
}

/// The tags of the catalog by package, oldest first.
std::map<std::string, std::vector<std::string>> tags(const fs::path& file) {
  std::map<std::string, std::vector<std::string>> packages;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::string tag = line.substr(0, line.find('\t'));
    const std::size_t slash = tag.rfind("/v");
    if (slash == std::string::npos) continue;
    const std::string version = tag.substr(slash + 2);
    if (version.find_first_not_of("0123456789") == std::string::npos && !version.empty())
      packages[tag.substr(0, slash)].push_back(tag);
  }
  for (auto& [package, versions] : packages)
    std::sort(versions.begin(), versions.end(), [](const auto& a, const auto& b) {
      return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
  return packages;
}

/// Typical local edits: a label, a comment and a blank line in each resource.
krm::Package edited(const krm::Package& package) {
  krm::Package result = package;
  for (auto& [path, file] : result.files) {
    if (!is_resource_file(path) || path.ends_with("Kptfile")) continue;
    auto objects = krm::Object::parse_file(file.text());
    if (!objects) continue;
    for (krm::Object& object : *objects) {
      if (!object.is_krm() || object.value()["metadata"].empty()) continue;
      EXPECT_TRUE(object.set({"metadata", "labels", "site"}, "edge-1")) << path;
      EXPECT_TRUE(object.set_line_comment({"metadata", "name"}, "# set here")) << path;
    }
    file = krm::File(krm::Object::join_file(*objects), file.mode);
  }
  return result;
}

constexpr std::size_t kLargest = 100'000;  // bytes of a package: keeps the test fast

using Objects = std::map<std::pair<std::string, krm::ResourceId>, krm::Object>;

/// Without the resources of subpackages with an upstream, which a merge leaves alone.
Objects objects_of(const krm::Package& package) {
  Objects all;
  const std::vector<std::string> remote = remote_subpackages(package, "");
  for (const auto& [path, file] : package.files) {
    const bool is_remote =
        std::any_of(remote.begin(), remote.end(),
                    [&path = path](const std::string& folder) { return is_below(folder, path); });
    if (is_remote || !is_resource_file(path) || path.ends_with("Kptfile")) continue;
    const auto objects = krm::Object::parse_file(file.text());
    if (!objects) continue;
    for (const krm::Object& object : *objects)
      if (object.is_krm()) all.emplace(std::pair(path, upstream_identity(object)), object);
  }
  return all;
}

std::set<std::string> comments_of(const krm::Object& object) {
  std::set<std::string> comments;
  object.visit_scalars([&comments](const krm::ScalarRef& scalar) {
    if (!scalar.line_comment.empty()) comments.emplace(scalar.line_comment);
  });
  return comments;
}

json::Value without_local(const json::Value& object) {
  json::Value value = object.without_at({"metadata", "labels", "site"})
                          .without_at({"metadata", "annotations", kUpstreamIdentifier});
  for (const char* map : {"labels", "annotations"})
    if (value["metadata"][map].empty()) value = value.without_at({"metadata", map});
  return value;
}

/// Every resource of the new upstream is present with its values. Locally edited resources have the
/// edit and every comment of either side that the other side did not remove.
void check(const krm::Package& base, const krm::Package& theirs, const krm::Package& ours,
           const MergedPackage& merged) {
  const Objects before = objects_of(base), wanted = objects_of(theirs), had = objects_of(ours),
                have = objects_of(merged.package);
  for (const auto& [place, object] : wanted) {
    const auto found = have.find(place);
    ASSERT_NE(found, have.end()) << place.first << " " << place.second.name;
    EXPECT_EQ(without_local(found->second.value()), without_local(object.value()))
        << place.first << "\n"
        << found->second.text() << "\n--- upstream ---\n"
        << object.text();
    if (!had.contains(place)) continue;
    EXPECT_EQ(found->second.value()["metadata"]["labels"]["site"].as_string(), "edge-1");
    const std::set<std::string> comments = comments_of(found->second);
    EXPECT_TRUE(comments.contains("# set here")) << found->second.text();
    const std::set<std::string> old =
        before.contains(place) ? comments_of(before.at(place)) : std::set<std::string>();
    const std::set<std::string> now = comments_of(object);
    for (const std::string& comment : comments_of(had.at(place)))
      EXPECT_TRUE(comments.contains(comment) || (old.contains(comment) && !now.contains(comment)))
          << comment << "\n"
          << found->second.text();
  }
}

TEST(History, UpgradesKeepEditsAndComments) {
  const fs::path shared = testing::shared_dir();
  const fs::path fixtures = shared / "fixtures/nephio";
  if (shared.empty() || !fs::exists(fixtures / "tags.tsv")) GTEST_SKIP() << "no ../shared";
  const testing::TempDir scratch;
  const std::string git = "git -C " + (scratch.path() / "catalog.git").string();
  ASSERT_EQ(std::system(("git clone -q --bare " + (fixtures / "repos/catalog.bundle").string() +
                         " " + (scratch.path() / "catalog.git").string() + " 2>/dev/null")
                            .c_str()),
            0);
  int upgrades = 0;
  for (const auto& [package, versions] : tags(fixtures / "tags.tsv")) {
    if (versions.size() < 2) continue;
    std::vector<krm::Package> trees;
    for (const std::string& tag : versions) {
      const fs::path folder = scratch.path() / "trees" / tag;
      fs::create_directories(folder);
      const std::string command =
          git + " archive '" + tag + ":" + package + "' | tar -x -C '" + folder.string() + "'";
      ASSERT_EQ(std::system(command.c_str()), 0) << command;
      trees.push_back(read_package(folder));
    }
    std::size_t bytes = 0;
    for (const auto& [path, file] : trees.back().files) bytes += file.text().size();
    if (bytes > kLargest) continue;
    auto fetched = with_merge_keys(trees.front());
    ASSERT_TRUE(fetched) << fetched.error().text();
    krm::Package ours = edited(*fetched);
    for (std::size_t i = 1; i < trees.size(); ++i) {
      SCOPED_TRACE(versions[i]);
      auto merged = resource_merge({trees[i - 1], trees[i], ours}, {});
      ASSERT_TRUE(merged) << merged.error().text();
      check(trees[i - 1], trees[i], ours, *merged);
      ours = edited(merged->package);
      ++upgrades;
    }
  }
  EXPECT_GE(upgrades, 10);
}

}  // namespace
}  // namespace portico::merge
