// Without local edits, an upgrade yields the current upstream byte for byte, for every step in the
// history of real catalogs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "krm/package.h"
#include "merge/subpackages.h"
#include "package/clone.h"
#include "package/update.h"
#include "package/upgrade.h"
#include "testing/cases.h"

namespace portico::package {
namespace {

namespace fs = std::filesystem;

using Tree = std::map<std::string, std::string>;  // path to blob

/// The trees of one branch, oldest first, and their contents.
class History {
 public:
  explicit History(const std::string& git) : scratch_(), git_(git) {
    std::istringstream log(
        run("log -m --first-parent --raw --no-abbrev --no-renames --reverse "
            "--format='commit %H' HEAD"));
    Tree tree;
    std::string commit;
    std::set<std::string> changed;
    for (std::string line; std::getline(log, line);) {
      if (line.starts_with("commit ")) {
        add_versions(tree, changed, commit);
        commit = line.substr(7);
      } else if (line.starts_with(":")) {
        // :100644 100644 OLD NEW M<tab>path
        const std::string blob = line.substr(56, 40), path = line.substr(line.find('\t') + 1);
        changed.insert(path);
        if (blob.find_first_not_of('0') == std::string::npos) {
          tree.erase(path);
        } else {
          tree[path] = blob;
        }
      }
    }
    add_versions(tree, changed, commit);
    read_blobs();
  }

  struct Version {
    std::string commit;
    Tree files;
  };
  /// By folder; consecutive versions differ.
  const std::map<std::string, std::vector<Version>>& packages() const { return packages_; }

  krm::Package package(const Version& version) const {
    krm::Package package;
    for (const auto& [path, blob] : version.files) package.set(path, blobs_.at(blob));
    return package;
  }

 private:
  std::string run(const std::string& command) const {
    const fs::path out = scratch_.path() / "out";
    const std::string line = git_ + " " + command + " >" + out.string() + " 2>/dev/null";
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
    return testing::read_file(out);
  }

  void add_versions(const Tree& tree, std::set<std::string>& changed, const std::string& commit) {
    std::set<std::string> folders;
    for (const std::string& path : changed)
      for (std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
           slash = path.rfind('/', slash - 1))
        folders.insert(path.substr(0, slash));
    changed.clear();
    for (const std::string& folder : folders) {
      if (!tree.contains(folder + "/Kptfile")) continue;
      Version version{commit, {}};
      for (auto file = tree.lower_bound(folder + "/");
           file != tree.end() && file->first.starts_with(folder + "/"); ++file)
        version.files.emplace(file->first.substr(folder.size() + 1), file->second);
      std::vector<Version>& versions = packages_[folder];
      if (versions.empty() || versions.back().files != version.files) versions.push_back(version);
    }
  }

  void read_blobs() {
    const std::string all = run("cat-file --batch --batch-all-objects");
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = all.find('\n', at);
      std::istringstream header(all.substr(at, end - at));
      std::string id, type;
      std::size_t size = 0;
      header >> id >> type >> size;
      if (type == "blob") blobs_.emplace(id, all.substr(end + 1, size));
      at = end + 1 + size + 1;
    }
  }

  testing::TempDir scratch_;
  std::string git_;
  std::map<std::string, std::vector<Version>> packages_;
  std::map<std::string, std::string> blobs_;
};

/// Upstream information belongs to the downstream, so it is not compared.
krm::Package without_upstream(krm::Package package) {
  auto kptfile = package.find("Kptfile")->object();
  for (const char* section : {"upstream", "upstreamLock"}) {
    if (!kptfile) continue;
    EXPECT_TRUE(kptfile->remove({section}));
  }
  if (kptfile) package.set("Kptfile", kptfile->text());
  return package;
}

/// The first line that differs, for the failure message.
std::string difference(const krm::Package& have, const krm::Package& want) {
  std::string text;
  std::set<std::string> paths;
  for (const krm::Package* package : {&have, &want})
    for (const auto& [path, file] : package->files) paths.insert(path);
  for (const std::string& path : paths) {
    const krm::File *a = have.find(path), *b = want.find(path);
    if (a != nullptr && b != nullptr && *a == *b) continue;
    text += path + (a == nullptr ? " is missing" : b == nullptr ? " is too much" : " differs");
    if (a != nullptr && b != nullptr) {
      std::istringstream x(a->text()), y(b->text());
      std::string p, q;
      int number = 0;
      do {
        p = q = "(end)";
        std::getline(x, p);
        std::getline(y, q);
        ++number;
      } while (p == q && (x || y));
      text += " in line " + std::to_string(number) + ":\n  have " + p + "\n  want " + q;
    }
    text += "\n";
  }
  return text;
}

std::size_t size_of(const krm::Package& package) {
  std::size_t bytes = 0;
  for (const auto& [path, file] : package.files) bytes += file.text().size();
  return bytes;
}

struct Upgraded {
  Result<merge::MergedPackage> merged;
  krm::Package want;
};

constexpr std::size_t kLargest = 200'000;  // bytes of a package, to keep the test fast
constexpr char kRepository[] = "https://example.com/r.git";

/// `pkg get` of the old version followed by `pkg update`, to compare with `pkg get` of the new one;
/// and the same with Porch's clone and upgrade. Empty if the old version cannot be fetched.
std::map<std::string, Upgraded> upgrades(const std::string& path, const krm::Package& base,
                                         const krm::Package& theirs) {
  std::map<std::string, Upgraded> done;
  const Fetch fetch = [&](const krm::GitLocation& where) -> Result<Fetched> {
    if (where.repo != kRepository) return not_found("no repository {}", where.repo);
    const bool old = where.ref == "v1";
    return Fetched{old ? base : theirs, old ? "1111" : "2222", where.ref};
  };
  const auto get = [&](const char* ref) {
    return package::get(
        {{kRepository, path, ref, ""}, merge::Strategy::kResourceMerge, "mine", false, fetch});
  };
  if (merge::remote_subpackages(base, "").empty() &&
      merge::remote_subpackages(theirs, "").empty()) {
    const auto ours = get("v1"), want = get("v2");
    if (ours && want) {
      auto updated = update({ours->merged.package, "v2", {}, {}, fetch, "mine"});
      done.emplace("update", updated ? Upgraded{updated->merged, want->merged.package}
                                     : Upgraded{updated.error(), {}});
    }
  }
  const api::GitLock old_lock{kRepository, path, "v1", "1111"},
      new_lock{kRepository, path, "v2", "2222"};
  const auto ours = clone(base, {"mine", old_lock, false}),
             want = clone(theirs, {"mine", new_lock, false});
  if (ours && want)
    done.emplace("upgrade", Upgraded{upgrade({base,
                                              theirs,
                                              *ours,
                                              {},
                                              {},
                                              upstream_value(new_lock),
                                              upstream_lock_value(new_lock),
                                              true,
                                              "mine"}),
                                     *want});
  return done;
}

class UpstreamHistory : public ::testing::TestWithParam<const char*> {};

TEST_P(UpstreamHistory, UneditedUpgradesEqualUpstream) {
  const fs::path shared = testing::shared_dir();
  const fs::path bundle = shared / "fixtures/nephio/repos" / GetParam();
  if (shared.empty() || !fs::exists(bundle)) GTEST_SKIP() << "no ../shared";
  const testing::TempDir scratch;
  const std::string folder = (scratch.path() / "clone.git").string();
  ASSERT_EQ(std::system(
                ("git clone -q --bare " + bundle.string() + " " + folder + " 2>/dev/null").c_str()),
            0);
  const History history("git -C " + folder);
  int steps = 0;
  for (const auto& [path, versions] : history.packages()) {
    for (std::size_t i = 1; i < versions.size(); ++i) {
      const krm::Package base = history.package(versions[i - 1]);
      const krm::Package theirs = history.package(versions[i]);
      if (size_of(base) + size_of(theirs) > kLargest) continue;
      ++steps;
      const std::string place = path + " " + versions[i].commit;
      for (const auto& [how, upgraded] : upgrades(path, base, theirs)) {
        if (!upgraded.merged) {
          ADD_FAILURE() << how << " " << place << ": " << upgraded.merged.error().text();
          continue;
        }
        const std::string differs =
            difference(without_upstream(upgraded.merged->package), without_upstream(upgraded.want));
        if (differs.empty() && upgraded.merged->conflicts.empty()) continue;
        std::string conflicts;
        for (const merge::Conflict& conflict : upgraded.merged->conflicts)
          conflicts += merge::conflict_text(conflict) + "\n";
        ADD_FAILURE() << how << " " << place << "\n" << differs << conflicts;
      }
    }
  }
  EXPECT_GE(steps, 50);
}
INSTANTIATE_TEST_SUITE_P(Nephio, UpstreamHistory,
                         ::testing::Values("catalog.bundle", "nephio-example-packages.bundle"),
                         [](const auto& bundle) {
                           std::string name = bundle.param;
                           name = name.substr(0, name.find('.'));
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace portico::package
