#include "revisions/repositories.h"

#include "api/kinds.h"
#include "base/hash.h"
#include "krm/meta.h"

namespace portico::revisions {

using json::Value;

Result<repo::Location> location_of(const Value& repository) {
  const Value& spec = repository["spec"];
  const std::string_view type = spec["type"].as_string();
  if (!type.empty() && type != "git")
    return invalid("spec.type: \"{}\" repositories are not supported; use git", type);
  const Value& git = spec["git"];
  repo::Location out;
  out.url = git["repo"].as_string();
  if (out.url.empty()) return invalid("spec.git.repo: missing required field");
  if (const auto branch = git["branch"].as_string(); !branch.empty()) out.branch = branch;
  out.directory = git["directory"].as_string();
  out.create_branch = git["createBranch"].as_bool();
  out.push_drafts = git["drafts"].as_string() != "local";
  return out;
}

Result<Repositories::Opened> Repositories::open(const std::string& ns, const std::string& name) {
  const krm::ObjectKey key{
      {std::string(api::kConfigGroup), std::string(api::kRepositoryKind)}, ns, name};
  PORTICO_TRY(const Value repository, registry_.get(key), "repository \"" + name + "\"");
  return open(repository);
}

Result<Repositories::Opened> Repositories::open(const Value& repository) {
  const std::string ns(krm::namespace_of(repository)), name(krm::name_of(repository));
  Opened out;
  const std::string_view branch = repository["spec"]["git"]["branch"].as_string();
  out.home = {ns, name, std::string(branch.empty() ? "main" : branch),
              repository["spec"]["deployment"].as_bool()};
  const std::pair key(ns, name);
  out.git = opened_.with([&](auto& entries) -> std::shared_ptr<repo::Repository> {
    const auto at = entries.find(key);
    return at != entries.end() && at->second.spec == repository["spec"] ? at->second.git : nullptr;
  });
  if (out.git != nullptr) return out;

  const std::string place = "repository \"" + name + "\"";
  PORTICO_TRY(repo::Location location, location_of(repository), place);
  // Repository objects of one URL share one mirror.
  const std::string mirror = mirrors_ + "/" + sha256_hex(location.url).substr(0, 16) + ".git";
  PORTICO_TRY(auto git, repo::open(location, mirror), place);
  // Opening takes long and is done without the lock; the first one to finish stays.
  out.git = opened_.with([&](auto& entries) {
    Entry& entry = entries[key];
    if (entry.git == nullptr || entry.spec != repository["spec"])
      entry = {repository["spec"], std::move(git)};
    return entry.git;
  });
  return out;
}

void Repositories::forget(const std::string& ns, const std::string& name) {
  opened_.with([&](auto& entries) { entries.erase({ns, name}); });
}

}  // namespace portico::revisions
