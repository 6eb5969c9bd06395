// kpt's four ways to bring a package to a new upstream version.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "merge/package.h"

namespace portico::merge {

enum class Strategy {
  kResourceMerge,       // see resource_merge
  kFastForward,         // the new upstream; refused where something was changed here
  kForceDeleteReplace,  // the new upstream; local changes are lost, all but those of the Kptfile
  kCopyMerge,           // every upstream file replaces the local one; files that upstream never had
                        // stay; files that upstream removed go
};

/// "resource-merge", ...
std::string_view name_of(Strategy strategy);
/// "" is resource-merge; kInvalid that names the strategies for anything unknown.
Result<Strategy> parse_strategy(std::string_view text);

struct StrategyOptions {
  Strategy strategy = Strategy::kResourceMerge;
  OnConflict on_conflict = OnConflict::kUpstream;  // of resource-merge and of the Kptfiles
  bool is_root = true;                             // see PackageOptions
  /// What a Kptfile is called that was made for an upstream without one: such a one is no local
  /// change. "" where the name of the local Kptfile is to be believed.
  std::string name;
  /// See PackageOptions. A file that upstream removed and people changed then stays, reported, with
  /// kCopyMerge too.
  bool builds = false;
};

/// Subpackages with an upstream of their own are not touched, except by kCopyMerge, which treats
/// all files alike. kInvalid for what the strategy refuses.
Result<MergedPackage> update_package(const Versions& versions, const StrategyOptions& options);

}  // namespace portico::merge
