#include "package/clone.h"

#include "merge/merge_key.h"
#include "package/context.h"
#include "package/internal/files.h"
#include "package/kptfile.h"

namespace portico::package {

std::string_view leaf_name(std::string_view package) { return internal::base_name(package); }

json::Value upstream_value(const api::GitLock& upstream) {
  api::GitLock without_commit = upstream;
  without_commit.commit.clear();
  return upstream_lock_value(without_commit);
}

json::Value upstream_lock_value(const api::GitLock& upstream) {
  return api::encode(api::Locator{"git", upstream});
}

Result<Done> set_upstream(krm::Object& kptfile, const api::GitLock& upstream) {
  const Members source = {{"repo", json::Value(upstream.repo)},
                          {"directory", json::Value(upstream.directory)},
                          {"ref", json::Value(upstream.ref)}};
  Members lock = source;
  lock.emplace_back("commit", json::Value(upstream.commit));
  PORTICO_DO(set_members(kptfile, {"upstream"}, {{"type", "git"}, {"oci", json::Value()}}));
  PORTICO_DO(set_members(kptfile, {"upstream", "git"}, source));
  PORTICO_DO(set_members(kptfile, {"upstreamLock"}, {{"type", "git"}, {"oci", json::Value()}}));
  PORTICO_DO(set_members(kptfile, {"upstreamLock", "git"}, lock));
  return Done{};
}

Result<krm::Package> clone(krm::Package upstream, const CloneOptions& options) {
  PORTICO_TRY(krm::Object kptfile, kptfile_of(upstream));
  const std::string place(kKptfile);
  PORTICO_DO(
      set_members(kptfile, {"metadata"}, {{"name", json::Value(leaf_name(options.package))}}),
      place);
  PORTICO_DO(set_upstream(kptfile, options.upstream), place);
  put_kptfile(upstream, kptfile);
  if (options.deployment) {
    PORTICO_TRY(upstream, generate_context(std::move(upstream), options.package));
  }
  return merge::with_all_merge_keys(upstream);
}

}  // namespace portico::package
