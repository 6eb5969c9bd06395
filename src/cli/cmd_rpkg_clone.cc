// `rpkg clone`: clones a package revision, or a package in a git repository.
#include "api/kinds.h"
#include "base/absolute_path.h"
#include "cli/asked.h"
#include "cli/commands.h"
#include "cli/fetcher.h"
#include "cli/upstream_index.h"
#include "engine/engine.h"
#include "krm/lifecycle.h"
#include "package/clone.h"
#include "package/update_strategy.h"
#include "packages/home.h"
#include "repo/package_url.h"

namespace portico::cli {

using drafts::DraftRequest;
using engine::current_actor;
using engine::Engine;
using json::Value;

namespace {

// A git path or URL; a package revision's name has no '/', except after its type.
bool is_url(std::string_view source) {
  if (source.find("://") != source.npos || source.starts_with('/') || source.starts_with("./") ||
      source.starts_with("../"))
    return true;
  const std::size_t colon = source.find(':'), slash = source.find('/');
  return colon != source.npos && colon < slash;  // user@host:path
}

std::string_view trimmed(std::string_view directory) {
  while (directory.starts_with('/')) directory.remove_prefix(1);
  while (directory.ends_with('/')) directory.remove_suffix(1);
  return directory;
}

// The location from the options: a complete URL as for `pkg get`, or the URL of the repository with
// --directory and --ref.
Result<krm::GitLocation> place_of(const RpkgCloneOptions& options, Fetcher& fetcher) {
  krm::GitLocation out;
  if (options.source.starts_with("oci://"))
    return invalid("packages are cloned from git repositories; not a git repository: \"{}\"",
                   options.source);
  if (!options.directory.empty()) {
    out = {options.source, options.directory, options.ref, ""};
    // Make a path independent of the working directory.
    if (out.repo.find(':') == std::string::npos) {
      PORTICO_TRY(out.repo, absolute_path(out.repo));
    }
  } else {
    PORTICO_TRY(out, repo::parse_package_url(options.source));
    if (!options.ref.empty() && !out.ref.empty() && out.ref != options.ref)
      return invalid("\"{}\" specifies version {}, but --ref specifies {}", options.source, out.ref,
                     options.ref);
    if (!options.ref.empty()) out.ref = options.ref;
    // The recorded upstream keeps the URL as the user wrote it.
    const std::string with_end = out.repo + ".git";
    if (options.source.find(".git/") != std::string::npos && !out.repo.ends_with(".git"))
      out.repo = with_end;
  }
  out.directory = trimmed(out.directory);
  PORTICO_TRY(out.repo, fetcher.take_login(out.repo));
  return out;
}

// The published revision at the place in a registered repository; "" if there is none. Never the
// head of a branch, which may have moved since the repository was read: that is fetched.
Result<std::string> registered_at(const registry::Registry& registry, const std::string& ns,
                                  const krm::GitLocation& place) {
  if (place.ref.empty()) return std::string();
  PORTICO_TRY(registry::Listing all, registry.list({.type = api::revision_kind(), .ns = ns}));
  const UpstreamIndex index(std::move(all.objects));
  for (const std::string& ref : {fmt::format("{}/{}", place.directory, place.ref), place.ref})
    if (const Value* found = index.at(place.repo, place.directory, ref);
        found && has_number(*found))
      return std::string(krm::name_of(*found));
  return std::string();
}

// Fetches with the user's own git access; the package becomes the complete content of the draft.
Result<Done> fetch_into(DraftRequest& request, const krm::GitLocation& place,
                        const std::string& strategy, const registry::Registry& registry,
                        Fetcher& fetcher) {
  PORTICO_TRY(const packages::Home home,
              packages::home_of(registry, request.ns, request.repository));
  PORTICO_TRY(package::Fetched fetched, fetcher.read(place));
  const std::string ref = fetched.ref.empty() ? place.ref : fetched.ref;
  PORTICO_TRY(krm::Package content,
              package::clone(std::move(fetched.package),
                             {.package = request.package,
                              .upstream = {place.repo, place.directory, ref, fetched.commit},
                              .deployment = home.deployment}));
  if (!strategy.empty()) {
    PORTICO_TRY(content, package::with_update_strategy(std::move(content), strategy));
  }
  request.source = drafts::ReplaceSource{std::move(content)};
  const Value git =
      Value::object({{"repo", place.repo}, {"directory", place.directory}, {"ref", ref}});
  const Value upstream = Value::object({{"type", "git"}, {"git", git}});
  const Value task =
      Value::object({{"type", "clone"}, {"clone", Value::object({{"upstreamRef", upstream}})}});
  request.object = Value::object(
      {{"metadata", Value::object()}, {"spec", Value::object({{"tasks", Value::array({task})}})}});
  return Done{};
}

}  // namespace

Result<Exit> run_rpkg_clone(const RpkgCloneOptions& options, Context& context) {
  const bool by_url = is_url(options.source);
  Fetcher fetcher(context);
  krm::GitLocation place;
  std::string source;
  if (by_url) {
    PORTICO_TRY(place, place_of(options, fetcher), "source");
  } else {
    PORTICO_TRY(source, plain_name(options.source, api::revision_kind()));
    if (!options.directory.empty() || !options.ref.empty())
      context.terminal.hint(
          "--directory and --ref apply to URLs only and are ignored for a package revision");
  }

  DraftRequest request;
  request.ns = context.globals.ns;
  request.repository = options.repository;
  request.package = options.package;
  request.workspace = options.workspace;
  request.only_if_changed = false;
  request.actor = current_actor();
  if (by_url) {
    // git may take long: read without the write lock.
    PORTICO_TRY(const auto reader, Engine::read(context));
    PORTICO_TRY(source, registered_at(reader->registry(), request.ns, place));
    if (source.empty())
      PORTICO_DO(fetch_into(request, place, options.strategy, reader->registry(), fetcher));
  }
  if (!source.empty()) {
    request.source = drafts::CloneSource{source};
    request.strategy = options.strategy;
  }
  PORTICO_TRY(const auto engine, Engine::open(context));
  PORTICO_TRY(const drafts::Drafted drafted, engine->drafts().draft(request));
  context.terminal.print("{} created\n", krm::name_of(drafted.object));
  return 0;
}

}  // namespace portico::cli
