// What kpt's update and Porch's upgrade share: one package and its subpackages, in three versions.
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

/// kInvalid where there is none, or no YAML.
Result<krm::Object> read_kptfile(const krm::Package& package, std::string_view folder);

/// Makes `upstream` or `upstreamLock` of a Kptfile {type, git: {repo, directory, ref, commit},
/// updateStrategy}, what of these `source` holds; new fields come in kpt's order.
Result<Done> set_source(krm::Object& kptfile, const std::string& section,
                        const json::Value& source);

/// Brings the package at `top` in `merged` from `base` to `theirs`, whose roots are its two
/// versions, then the subpackages with an upstream of their own that came with it (kpt:
/// update.Command.mergePackage). Conflicts are added to those of `merged`.
class TreeUpgrade {
 public:
  /// What comes of a subpackage whose new version says that it is to be fetched yet.
  enum class Unfetched {
    kFetchedNext,  // its Kptfile alone counts
    kAsItIs,       // what the new version has of it counts, where that is more than the Kptfile
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

/// The policy while parts are merged: conflicts are collected from all of them before they are
/// refused.
merge::OnConflict while_merging(merge::OnConflict wanted);

/// Conflicts by file, and the merge refused where that is wanted; merge keys where they are wanted.
Result<merge::MergedPackage> finished(merge::MergedPackage merged, merge::OnConflict on_conflict,
                                      bool add_merge_keys);

}  // namespace portico::package::internal
