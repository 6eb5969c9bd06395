#include "variants/upstream.h"

#include <fmt/format.h>

#include <optional>
#include <tuple>
#include <vector>

#include "semver/constraint.h"

namespace portico::variants {

namespace {

using semver::Version;

/// The version of a published revision: that of its number or else that of its tag.
std::optional<Version> version_of(const Revision& revision) {
  if (is_branch_head(revision)) return std::nullopt;
  if (revision.spec().revision > 0) {
    Version version;
    version.major = static_cast<std::uint64_t>(revision.spec().revision);
    return version;
  }
  return semver::parse_version(ref_tail(revision));
}

bool has_tag(const Revision& revision, const std::string& tag) {
  if (is_branch_head(revision) || !revision.published()) return false;
  if (ref_tail(revision) == tag) return true;
  return revision.spec().revision > 0 && tag == fmt::format("v{}", revision.spec().revision);
}

/// The highest published version for which `wanted` is true.
template <class Wanted>
const Revision* highest(std::span<const Revision* const> candidates, Wanted&& wanted) {
  const Revision* best = nullptr;
  Version best_version;
  for (const Revision* candidate : candidates) {
    if (!candidate->published()) continue;
    auto version = version_of(*candidate);
    if (!version || !wanted(*candidate, *version)) continue;
    if (best == nullptr || *version > best_version) {
      best = candidate;
      best_version = std::move(*version);
    }
  }
  return best;
}

const Revision* latest(std::span<const Revision* const> candidates) {
  const auto numbered = [](const Revision& one, const Version&) { return one.spec().revision > 0; };
  if (const Revision* best = highest(candidates, numbered)) return best;
  const auto released = [](const Revision&, const Version& version) {
    return version.prerelease.empty();
  };
  if (const Revision* best = highest(candidates, released)) return best;
  for (const Revision* candidate : candidates)
    if (is_branch_head(*candidate)) return candidate;
  return nullptr;
}

std::string_view trimmed(std::string_view text, std::string_view suffix) {
  while (text.ends_with('/')) text.remove_suffix(1);
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return text;
}

std::string_view plain_directory(std::string_view directory) {
  while (directory.starts_with('/')) directory.remove_prefix(1);
  return trimmed(directory, "");
}

std::string_view plain_ref(std::string_view ref) {
  for (const std::string_view prefix : {"refs/heads/", "refs/tags/"})
    if (ref.starts_with(prefix)) ref.remove_prefix(prefix.size());
  return ref;
}

}  // namespace

Result<Revision> resolve_upstream(const api::Upstream& upstream,
                                  std::span<const Revision> observed) {
  std::vector<const Revision*> candidates;
  for (const Revision& revision : observed)
    if (revision.spec().repository == upstream.repo &&
        revision.spec().package_name == upstream.package)
      candidates.push_back(&revision);

  const Revision* found = nullptr;
  std::string choice = "published revision";
  if (!upstream.workspace_name.empty()) {
    choice = fmt::format("workspaceName \"{}\"", upstream.workspace_name);
    const std::int64_t number = upstream.revision.value_or(0);
    for (const Revision* one : candidates)
      if (one->spec().workspace_name == upstream.workspace_name &&
          (number <= 0 || one->spec().revision == number))
        found = one;
  } else if (!upstream.tag.empty()) {
    choice = fmt::format("tag \"{}\"", upstream.tag);
    for (const Revision* one : candidates)
      if (has_tag(*one, upstream.tag)) found = one;
  } else if (!upstream.constraint.empty()) {
    choice = fmt::format("version that matches \"{}\"", upstream.constraint);
    PORTICO_TRY(const auto constraint, semver::Constraint::parse(upstream.constraint),
                "spec.upstream.constraint");
    found = highest(candidates, [&](const Revision&, const Version& version) {
      return constraint.allows(version);
    });
  } else if (upstream.revision.has_value()) {
    choice = fmt::format("revision {}", *upstream.revision);
    for (const Revision* one : candidates)
      if (*upstream.revision == -1 ? is_branch_head(*one)
                                   : one->published() && one->spec().revision == *upstream.revision)
        found = one;
  } else {
    found = latest(candidates);
  }
  if (found == nullptr)
    return not_found("could not find upstream package revision '{}/{}' in repo '{}': no {}",
                     upstream.package, upstream.revision.value_or(0), upstream.repo, choice);
  return *found;
}

bool out_of_date(const api::Locator* lock, const Revision& upstream, const api::Upstream& choice) {
  const auto& self = upstream.object->status.self_lock;
  if (lock == nullptr || !lock->git || !self || !self->git) return false;
  const api::GitLock& have = *lock->git;
  const api::GitLock& want = *self->git;
  if (trimmed(have.repo, ".git") != trimmed(want.repo, ".git")) return true;
  if (plain_directory(have.directory) != plain_directory(want.directory)) return true;

  const bool moving = !choice.workspace_name.empty() || is_branch_head(upstream);
  if (!moving && !choice.tag.empty()) return have.commit != want.commit;
  if (!moving && plain_ref(have.ref) != plain_ref(want.ref)) return true;
  return have.commit != want.commit;
}

}  // namespace portico::variants
