#include "gitpackages/repositories.h"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "api/kinds.h"
#include "base/hash.h"
#include "krm/meta.h"

namespace portico::gitpackages {

using json::Value;

namespace {

std::string hashed_path(const std::string& mirrors, const std::string& text) {
  return mirrors + "/" + sha256_hex(text).substr(0, 16) + ".git";
}

}  // namespace

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
  out.author = git["author"].as_string();
  out.email = git["email"].as_string();
  out.push_drafts = git["drafts"].as_string() != "local";
  return out;
}

Result<Credentials> Repositories::credentials(const Value& repository) const {
  const Value& name = repository["spec"]["git"]["secretRef"]["name"];
  if (name.as_string().empty()) return Credentials();
  const krm::ObjectKey key{
      {"", "Secret"}, std::string(krm::namespace_of(repository)), std::string(name.as_string())};
  const registry::Registry& secrets =
      options_.secrets != nullptr ? *options_.secrets : options_.registry;
  const auto secret = secrets.get(key);
  if (!secret && secret.error().code == Code::kNotFound)
    return not_found("Secret \"{}\" not found in namespace \"{}\"", key.name, key.ns)
        .in("spec.git.secretRef");
  if (!secret) return secret.error().in("spec.git.secretRef");
  auto out = credentials_of(*secret);
  if (!out) return std::move(out).error().in("spec.git.secretRef");
  return out;
}

std::string mirror_path(const std::string& mirrors, const std::string& url, const std::string& ns,
                        const std::string& name) {
  return hashed_path(mirrors, url + '\0' + ns + '\0' + name);
}

std::string Repositories::adopt_mirror(const std::string& url, const std::string& ns,
                                       const std::string& name) const {
  std::string own = mirror_path(options_.mirrors, url, ns, name);
  if (::access(own.c_str(), F_OK) == 0) return own;
  std::string shared = hashed_path(options_.mirrors, url);
  if (::access(shared.c_str(), F_OK) != 0) return own;
  if (!options_.scratch.empty()) return shared;  // a rehearsal must not change it
  static_cast<void>(::rename(shared.c_str(), own.c_str()));
  return own;
}

std::shared_ptr<Repositories::Entry> Repositories::entry_of(const std::string& ns,
                                                            const std::string& name) {
  return entries_.with([&](auto& all) {
    auto& one = all[{ns, name}];
    if (one == nullptr) one = std::make_shared<Entry>();
    return one;
  });
}

Result<Repositories::Opened> Repositories::open(const std::string& ns, const std::string& name) {
  const krm::ObjectKey key{
      {std::string(api::kConfigGroup), std::string(api::kRepositoryKind)}, ns, name};
  PORTICO_TRY(const Value repository, options_.registry.get(key));
  return open(repository);
}

Result<Repositories::Opened> Repositories::open(const Value& repository) {
  const std::string ns(krm::namespace_of(repository)), name(krm::name_of(repository));
  Opened out;
  out.home = packages::home_of(repository);
  const std::string place = "repository \"" + name + "\"";
  PORTICO_TRY(Credentials secret, credentials(repository), place);
  const std::shared_ptr<Entry> entry = entry_of(ns, name);
  const auto last = [&] {
    return entry->last.with([&](const std::optional<Entry::Outcome>& done) -> std::optional<Git> {
      if (!done || done->spec != repository["spec"] || done->credentials != secret)
        return std::nullopt;
      if (done->git && (*done->git)->is_damaged()) return std::nullopt;
      return done->git;
    });
  };
  std::optional<Git> git = last();
  if (git && !*git) git.reset();  // retry after an earlier failure
  // Opening fetches: of concurrent callers one opens it, and the others share the result.
  while (!git) {
    const bool mine = entry->openings.join([&] {
      git = last();
      if (git && *git) return;  // another caller has just finished
      entry->last.with([](std::optional<Entry::Outcome>& done) { done.reset(); });
      git = open_as(repository, secret);
      entry->last.with([&](std::optional<Entry::Outcome>& done) {
        done.emplace(Entry::Outcome{repository["spec"], secret, *git});
      });
    });
    // If the other call used other credentials or threw an exception, this one opens it.
    if (!mine) git = last();
  }
  if (!*git) return std::move(*git).error().in(place);
  out.git = **std::move(git);
  awake_.use(out.git);
  return out;
}

repo::Options Repositories::repo_options() const {
  repo::Options out;
  out.local = options_.local_repositories;
  out.stopped = options_.stopped;
  return out;
}

Repositories::Git Repositories::open_as(const Value& repository, const Credentials& secret) const {
  PORTICO_TRY(repo::Location location, location_of(repository));
  location.username = secret.username;
  location.password = secret.password;
  location.bearer_token = secret.bearer_token;
  if (!location.push_drafts && !options_.local_drafts)
    return invalid(
               "\"local\" is not supported where several servers share the work; drafts must be "
               "pushed")
        .in("spec.git.drafts");
  const std::string mirror = adopt_mirror(location.url, std::string(krm::namespace_of(repository)),
                                          std::string(krm::name_of(repository)));
  repo::Options options = repo_options();
  options.scratch = options_.scratch;
  options.packages = packages_;
  options.log = options_.log;
  options.meter = options_.meter;
  PORTICO_TRY(auto git, repo::open(location, mirror, options));
  return std::shared_ptr<repo::Repository>(std::move(git));
}

Result<Done> Repositories::check(const Value& repository, const Value& secret) const {
  const std::string place = fmt::format("repository \"{}\"", krm::name_of(repository));
  PORTICO_TRY(repo::Location location, location_of(repository), place);
  auto login = secret.is_null() ? credentials(repository) : credentials_of(secret);
  if (!login) return std::move(login).error().in(place);
  location.username = login->username;
  location.password = login->password;
  location.bearer_token = login->bearer_token;
  PORTICO_DO(repo::check(location, repo_options()), place);
  return Done{};
}

void Repositories::forget(const std::string& ns, const std::string& name) {
  entries_.with([&](auto& all) { all.erase({ns, name}); });
}

}  // namespace portico::gitpackages
