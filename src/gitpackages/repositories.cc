#include "gitpackages/repositories.h"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "api/kinds.h"
#include "base/hash.h"
#include "krm/meta.h"

namespace portico::gitpackages {

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

Result<Credentials> Repositories::credentials(const Value& repository) const {
  const Value& name = repository["spec"]["git"]["secretRef"]["name"];
  if (name.as_string().empty()) return Credentials();
  const krm::ObjectKey key{
      {"", "Secret"}, std::string(krm::namespace_of(repository)), std::string(name.as_string())};
  const auto secret = registry_.get(key);
  if (!secret && secret.error().code == Code::kNotFound)
    return not_found("no Secret \"{}\" in namespace \"{}\"", key.name, key.ns)
        .in("spec.git.secretRef");
  if (!secret) return secret.error().in("spec.git.secretRef");
  auto out = credentials_of(*secret);
  if (!out) return std::move(out).error().in("spec.git.secretRef");
  return out;
}

std::string Repositories::mirror_of(const std::string& url, const std::string& ns,
                                    const std::string& name) const {
  const auto path = [this](const std::string& text) {
    return mirrors_ + "/" + sha256_hex(text).substr(0, 16) + ".git";
  };
  const std::string own = path(url + '\0' + ns + '\0' + name);
  // Where one mirror a URL was kept, the first one to ask takes it, with the drafts in it.
  const std::string shared = path(url);
  if (::access(own.c_str(), F_OK) != 0 && ::access(shared.c_str(), F_OK) == 0) {
    if (!scratch_.empty()) return shared;
    static_cast<void>(::rename(shared.c_str(), own.c_str()));
  }
  return own;
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
  out.home = packages::home_of(repository);
  const std::string place = "repository \"" + name + "\"";
  PORTICO_TRY(Credentials secret, credentials(repository), place);
  const std::pair key(ns, name);
  const auto is_same = [&](const Entry& entry) {
    return entry.git != nullptr && entry.spec == repository["spec"] && entry.credentials == secret;
  };
  // Opening fetches: of many who ask at once one does it, and the others get what it got.
  const bool others = opened_.with([&](Entries& all) { return all.opening.contains(key); });
  std::optional<Error> failure;
  out.git = opened_.wait([&](const Entries& all) { return !all.opening.contains(key); },
                         [&](Entries& all) -> std::shared_ptr<repo::Repository> {
                           const auto at = all.known.find(key);
                           if (at != all.known.end() && is_same(at->second)) return at->second.git;
                           if (const auto failed = all.failed.find(key);
                               others && failed != all.failed.end()) {
                             failure = failed->second;
                             return nullptr;
                           }
                           all.failed.erase(key);
                           all.opening.insert(key);
                           return nullptr;
                         });
  if (failure) return *std::move(failure);
  if (out.git != nullptr) return out;

  auto git = open_as(repository, secret);
  opened_.change([&](Entries& all) {
    all.opening.erase(key);
    if (git)
      all.known[key] = {repository["spec"], std::move(secret), *git};
    else
      all.failed.insert_or_assign(key, git.error().in(place));
  });
  if (!git) return std::move(git).error().in(place);
  out.git = *std::move(git);
  return out;
}

Result<std::shared_ptr<repo::Repository>> Repositories::open_as(const Value& repository,
                                                                const Credentials& secret) const {
  PORTICO_TRY(repo::Location location, location_of(repository));
  location.username = secret.username;
  location.password = secret.password;
  location.bearer_token = secret.bearer_token;
  const std::string mirror = mirror_of(location.url, std::string(krm::namespace_of(repository)),
                                       std::string(krm::name_of(repository)));
  repo::Options options;
  options.stopped = stopped_;
  options.scratch = scratch_;
  options.log = log_;
  options.meter = meter_;
  PORTICO_TRY(auto git, repo::open(location, mirror, options));
  return std::shared_ptr<repo::Repository>(std::move(git));
}

void Repositories::forget(const std::string& ns, const std::string& name) {
  opened_.with([&](Entries& all) { all.known.erase({ns, name}); });
}

}  // namespace portico::gitpackages
