#include "variants/set_desired.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/refusal.h"
#include "krm/meta.h"

namespace portico::variants {

namespace {

std::string place(const SetTarget& target) { return fmt::format("spec.targets[{}]", target.index); }

/// Removes the pairs that occur more than once from `desired`.
std::vector<FailedTarget> take_duplicates(std::vector<DesiredVariant>& desired) {
  std::vector<FailedTarget> failures;
  std::vector<DesiredVariant> single;
  single.reserve(desired.size());
  for (auto at = desired.begin(); at != desired.end();) {
    const auto end = std::find_if(at, desired.end(),
                                  [&](const DesiredVariant& one) { return one.key != at->key; });
    if (end - at == 1) {
      single.push_back(std::move(*at));
    } else {
      for (auto one = at; one != end; ++one) {
        const auto& other = one == at ? *(at + 1) : *at;
        failures.push_back({one->target, one->key, one->key.repo, one->key.package,
                            conflict("spec.targets[{}] and spec.targets[{}] both yield \"{}\"",
                                     std::min(one->target, other.target),
                                     std::max(one->target, other.target), one->key.text())});
      }
    }
    at = end;
  }
  desired = std::move(single);
  return failures;
}

}  // namespace

Result<DesiredSet> desired_variants(const SetSnapshot& snapshot, const CompiledSet& compiled,
                                    const Revision& upstream) {
  PORTICO_TRY(const std::vector<SetTarget> targets, unroll(snapshot));

  std::map<std::string_view, const json::Value*> repositories;
  for (const json::Value& one : snapshot.repositories)
    repositories.emplace(krm::name_of(one), &one);
  ExpandContext context;
  context.upstream = &*snapshot.set->spec.upstream;
  context.upstream_object = api::encode(*upstream.object);
  DesiredSet out;
  context.repository = [&](std::string_view name) -> const json::Value* {
    const auto at = repositories.find(name);
    if (at != repositories.end()) return at->second;
    if (!snapshot.asked.repositories.contains(name)) out.unknown_repositories.emplace(name);
    return nullptr;
  };

  out.variants.reserve(targets.size());
  for (const SetTarget& target : targets) {
    const auto& tmpl = compiled.templates[target.index];
    Expansion one = expand(tmpl ? &*tmpl : nullptr, target, context);
    const auto fail = [&](Error error) {
      out.failures.push_back({target.index, one.key, target.repo_default, target.package_default,
                              std::move(error).in(place(target))});
    };
    if (!one.spec) {
      fail(std::move(one.spec).error());
      continue;
    }
    if (const auto errors = api::validate(*one.spec); !errors.empty()) {
      fail(invalid("the variant for \"{}\" would be invalid: {}", one.key->text(),
                   api::text_of(errors)));
      continue;
    }
    out.variants.push_back({*std::move(one.key), *std::move(one.spec), target.index});
  }
  std::stable_sort(out.variants.begin(), out.variants.end(),
                   [](const DesiredVariant& a, const DesiredVariant& b) { return a.key < b.key; });
  for (FailedTarget& failure : take_duplicates(out.variants))
    out.failures.push_back(std::move(failure));
  std::stable_sort(
      out.failures.begin(), out.failures.end(),
      [](const FailedTarget& a, const FailedTarget& b) { return a.target < b.target; });
  return out;
}

}  // namespace portico::variants
