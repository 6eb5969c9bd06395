// A fleet in a temporary folder, for tests: bare git repositories, a store in memory, and package
// revisions over both.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/kinds.h"
#include "base/clock.h"
#include "drafts/drafts.h"
#include "fnrun/builtin.h"
#include "gitpackages/git_packages.h"
#include "krm/meta.h"
#include "krm/object.h"
#include "packages/lineage.h"
#include "store/embedded.h"
#include "testing/cases.h"
#include "testing/git_sandbox.h"

namespace portico::drafts {

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().text());
  return *std::move(result);
}

/// A clock that moves only when set.
class ManualClock : public Clock {
 public:
  TimePoint now() const override { return TimePoint(std::chrono::milliseconds(now_)); }
  void move(std::chrono::milliseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_ = 1'700'000'000'000;
};

inline std::vector<json::Value> objects_from(const std::string& yaml) {
  std::vector<json::Value> out;
  for (const krm::Object& each : must(krm::Object::parse_file(yaml)))
    if (!each.value().is_null()) out.push_back(each.value());
  return out;
}

inline const krm::GroupKind kRepositoryType{std::string(api::kConfigGroup),
                                            std::string(api::kRepositoryKind)};
inline const krm::GroupKind kRevisionType = packages::revision_key("", "").type;

class Fleet {
 public:
  static constexpr const char* kNs = "default";

  explicit Fleet(std::size_t watch_window = store::EmbeddedOptions().watch_window)
      : watch_window_(watch_window) {
    reopen();
  }

  /// Replaces the store with an empty one.
  void reopen() {
    drafts = nullptr;
    packages = nullptr;
    store::EmbeddedOptions options;
    options.clock = &clock;
    options.indexes = packages::indexes();
    options.watch_window = watch_window_;
    registry = must(store::open_embedded(std::move(options)));
    Engines own = over(*registry);
    packages = std::move(own.packages);
    drafts = std::move(own.drafts);
  }

  struct Engines {
    std::unique_ptr<packages::PackageStore> packages;
    std::unique_ptr<Drafts> drafts;
  };
  /// `scratch`: see gitpackages::Options.
  Engines over(registry::Registry& other, const std::string& scratch = "") const {
    Engines out;
    out.packages = gitpackages::make_git_packages(
        {.registry = other, .clock = clock, .mirrors = path("mirrors"), .scratch = scratch});
    out.drafts = make_drafts(other, *out.packages, runner);
    return out;
  }

  std::string path(const std::string& name) const { return (temp.path() / name).string(); }
  std::string bare(const std::string& name) const { return path(name + ".git"); }

  /// An empty bare git repository.
  void make_git(const std::string& name) const {
    portico::testing::make_bare(temp.path().string(), name + ".git");
  }

  /// A Repository object for the git repository `git_name`.
  json::Value repository_object(const std::string& name, const std::string& git_name,
                                bool deployment = false, const std::string& directory = "") const {
    json::Value git = json::Value::object({{"repo", bare(git_name)}});
    if (!directory.empty()) git = git.with("directory", directory);
    json::Value object = json::Value::object({{"apiVersion", json::Value(api::kConfigV1Alpha1)},
                                              {"kind", json::Value(api::kRepositoryKind)}})
                             .with_at({"metadata", "name"}, name)
                             .with_at({"metadata", "namespace"}, kNs)
                             .with_at({"spec", "type"}, "git")
                             .with_at({"spec", "git"}, git);
    return deployment ? object.with_at({"spec", "deployment"}, true) : object;
  }

  json::Value store_new(const json::Value& object) const {
    return must(registry->commit({{registry::Verb::kCreate, object}})).front();
  }

  Result<packages::Synced> sync(const std::string& repository) const {
    PORTICO_TRY(const json::Value object, registry->get({kRepositoryType, kNs, repository}));
    return packages->sync(object);
  }

  /// A user's commit with plain git: `files` maps paths to contents; nullopt deletes the file.
  void commit(const std::string& repository, const std::string& branch,
              const std::map<std::string, std::optional<std::string>>& files,
              const std::function<void(const std::filesystem::path&)>& also = {}) const {
    namespace fs = std::filesystem;
    const fs::path work = path("work");
    fs::remove_all(work);
    fs::create_directories(work);
    const auto git = [&](std::vector<std::string> words) {
      words.insert(words.begin(),
                   {"--git-dir=" + bare(repository), "--work-tree=" + work.string()});
      portico::testing::git(work.string(), words);
    };
    git({"symbolic-ref", "HEAD", "refs/heads/" + branch});
    git({"reset", "--quiet", "--hard"});
    for (const auto& [file, text] : files) {
      if (text)
        portico::testing::write_file(work / file, *text);
      else
        fs::remove_all(work / file);
    }
    if (also) also(work);
    git({"add", "--all"});
    git({"commit", "--quiet", "--allow-empty", "--message=by hand"});
    git({"symbolic-ref", "HEAD", "refs/heads/main"});
  }

  /// Every ref of the git repository behind a Repository object, with its target.
  static std::string refs_of(const json::Value& repository) {
    const std::string folder(repository["spec"]["git"]["repo"].as_string());
    return portico::testing::git_try(folder, {"for-each-ref", "--format=%(refname) %(objectname)"})
        .text;
  }

  std::vector<json::Value> all(const krm::GroupKind& type) const {
    return must(registry->list({.type = type})).objects;
  }
  Result<json::Value> revision(const std::string& name) const {
    return registry->get(packages::revision_key(kNs, name));
  }
  std::shared_ptr<const krm::Package> content(const std::string& name) const {
    return must(packages->read(must(revision(name))));
  }

  const portico::testing::TempDir temp{portico::testing::memory_folder()};
  ManualClock clock;
  fnrun::BuiltinRunner runner;
  std::unique_ptr<registry::Registry> registry;
  std::unique_ptr<packages::PackageStore> packages;
  std::unique_ptr<Drafts> drafts;

 private:
  const std::size_t watch_window_;
};

}  // namespace portico::drafts
