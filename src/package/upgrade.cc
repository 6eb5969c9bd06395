#include "package/upgrade.h"

#include <utility>

#include "merge/subpackages.h"
#include "package/internal/tree_upgrade.h"

namespace portico::package {

using internal::read_kptfile;
using internal::set_source;
using merge::MergedPackage;

Result<MergedPackage> upgrade(const UpgradeRequest& request) {
  MergedPackage merged{request.ours, {}};
  PORTICO_DO(read_kptfile(request.ours, ""));
  const merge::StrategyOptions options{
      request.strategy, internal::while_merging(request.on_conflict), true, request.name};
  PORTICO_DO(internal::TreeUpgrade(request.base, request.theirs, merged, "", options,
                                   internal::TreeUpgrade::Unfetched::kAsItIs)
                 .run());
  if (request.upstream || request.upstream_lock) {
    PORTICO_TRY(krm::Object kptfile, read_kptfile(merged.package, ""));
    if (request.upstream)
      PORTICO_DO(set_source(kptfile, "upstream", *request.upstream), std::string(merge::kKptfile));
    if (request.upstream_lock)
      PORTICO_DO(set_source(kptfile, "upstreamLock", *request.upstream_lock),
                 std::string(merge::kKptfile));
    merged.package.set(std::string(merge::kKptfile), kptfile.text());
  }
  return internal::finished(std::move(merged), request.on_conflict, request.add_merge_keys);
}

}  // namespace portico::package
