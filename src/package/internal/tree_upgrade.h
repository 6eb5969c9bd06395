// The common part of kpt's update and Porch's upgrade: a package and its subpackages, in three
// versions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/object.h"
#include "krm/package.h"
#include "merge/package.h"
#include "merge/strategy.h"

namespace portico::package::internal {

std::string kptfile_path(std::string_view folder);

/// kInvalid if there is none, or if it is not YAML.
Result<krm::Object> read_kptfile(const krm::Package& package, std::string_view folder);

/// Sets `upstream` or `upstreamLock` of a Kptfile to `source`, with any of {type, git: {repo,
/// directory, ref, commit}, updateStrategy}; new fields are written in kpt's order.
Result<Done> set_source(krm::Object& kptfile, const std::string& section,
                        const json::Value& source);

/// Upgrades the package at `top` in `merged` from `base` to `theirs`, which are two versions of it
/// as roots, and then the subpackages with their own upstream that it contains (kpt:
/// update.Command.mergePackage). Conflicts are appended to those of `merged`.
class TreeUpgrade {
 public:
  /// How to treat a subpackage whose new version is marked as still to be fetched.
  enum class Unfetched {
    kFetchedNext,  // only its Kptfile is used
    kAsItIs,       // the content of the new version is used, if there is more than the Kptfile
  };

  TreeUpgrade(const krm::Package& base, const krm::Package& theirs, merge::MergedPackage& merged,
              std::string top, merge::StrategyOptions options, Unfetched unfetched);

  Result<Done> run();

 private:
  Result<Done> upgrade(const std::string& folder);
  Result<Done> merge(const std::string& folder, const merge::Versions& versions);
  Result<Done> merge_kptfile_only(const std::string& folder, const merge::Versions& versions);
  Result<Done> apply(const std::string& folder, const merge::Versions& versions);
  krm::Package here(const std::string& folder) const;

  const krm::Package& base_;
  const krm::Package& theirs_;
  merge::MergedPackage& merged_;
  const std::string top_;
  const merge::StrategyOptions options_;
  const Unfetched unfetched_;
};

/// The policy while the parts are merged: under kFail, conflicts of all parts are collected before
/// they are rejected.
merge::OnConflict while_merging(merge::OnConflict wanted);

/// Sorts conflicts by file, fails on conflicts under kFail, and adds merge keys if asked to.
Result<merge::MergedPackage> finished(merge::MergedPackage merged, merge::OnConflict on_conflict,
                                      bool add_merge_keys);

}  // namespace portico::package::internal
