// kpt's four strategies to update a package to a new upstream version.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "merge/package.h"

namespace portico::merge {

enum class Strategy {
  kResourceMerge,       // see resource_merge
  kFastForward,         // the new upstream; refused if the local package has changes
  kForceDeleteReplace,  // the new upstream; local changes are lost, except those of the Kptfile
  kCopyMerge,           // every upstream file replaces the local one; files that upstream never had
                        // stay; files that upstream removed go
};

/// "resource-merge", ...
std::string_view name_of(Strategy strategy);
/// "" is resource-merge. Anything unknown is kInvalid; the error names the strategies.
Result<Strategy> parse_strategy(std::string_view text);

struct StrategyOptions {
  Strategy strategy = Strategy::kResourceMerge;
  OnConflict on_conflict = OnConflict::kUpstream;  // for resource-merge and the Kptfiles
  bool is_root = true;                             // see PackageOptions
  /// The name in a Kptfile that was generated for an upstream without one; such a Kptfile does not
  /// count as a local change. "" to accept the name in the local Kptfile.
  std::string name;
  /// See PackageOptions. With kCopyMerge, a file that upstream removed and the local package
  /// changed is then kept and reported as well.
  bool builds = false;
};

/// Subpackages with an upstream of their own are left alone, except by kCopyMerge, which treats all
/// files alike. kInvalid for what the strategy refuses.
Result<MergedPackage> update_package(const Versions& versions, const StrategyOptions& options);

}  // namespace portico::merge
