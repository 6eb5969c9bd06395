#include "package/builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "krm/equal.h"
#include "krm/object.h"
#include "package/inject.h"
#include "package/internal/machine_parts.h"
#include "package/internal/tree_upgrade.h"
#include "package/kptfile.h"

namespace portico::package {
namespace {

using merge::Difference;
using merge::MergedPackage;
using merge::Strategy;

/// nullopt if there is no Kptfile, or if it cannot be parsed.
std::optional<krm::Object> readable_kptfile(const krm::Package* package) {
  if (package == nullptr) return {};
  auto kptfile = kptfile_of(*package);
  return kptfile ? std::optional(*std::move(kptfile)) : std::nullopt;
}

/// `edited` with the parts that programs write taken from `base`.
Result<krm::Package> with_base_parts(const krm::Package& edited, const krm::Package& base,
                                     const krm::Package* theirs) {
  PORTICO_TRY(krm::Package ours, internal::with_merge_keys_of(edited, base));
  if (theirs != nullptr) {
    PORTICO_TRY(ours, internal::with_merge_keys_of(std::move(ours), *theirs));
  }
  const krm::File *local = ours.find(kKptfile), *pristine = base.find(kKptfile);
  if (local != nullptr && pristine != nullptr && *local == *pristine) return ours;
  if (local == nullptr) {
    if (pristine != nullptr) ours.files.insert_or_assign(std::string(kKptfile), *pristine);
    return ours;
  }
  PORTICO_TRY(krm::Object kptfile, kptfile_of(ours));
  const auto base_kptfile = readable_kptfile(&base), their_kptfile = readable_kptfile(theirs);
  PORTICO_TRY(kptfile,
              internal::with_machine_parts(
                  std::move(kptfile),
                  base_kptfile ? *base_kptfile : krm::Object::from_value(json::Value::object()),
                  their_kptfile ? &*their_kptfile : nullptr),
              std::string(kKptfile));
  put_kptfile(ours, kptfile);
  return ours;
}

/// The adjustments to the root Kptfile that a tree merge cannot make.
Result<Done> settle_kptfile(krm::Package& package, const MergeBuilds& builds) {
  PORTICO_TRY(krm::Object kptfile, kptfile_of(package));
  const std::string place(kKptfile);
  const auto base = readable_kptfile(&builds.base), theirs = readable_kptfile(&builds.theirs);
  if (theirs)
    PORTICO_DO(internal::put_variant_functions_first(
                   kptfile, base ? *base : krm::Object::from_value(json::Value::object()), *theirs),
               place);
  if (kptfile.text().find(kInjectionCondition) != std::string::npos) {
    PORTICO_TRY(const std::vector<InjectionPoint> points, find_injection_points(package));
    PORTICO_DO(remove_stale_conditions(kptfile, points), place);
  }
  put_kptfile(package, kptfile);
  return Done{};
}

Error edited(const std::vector<Difference>& edits) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, edits.size()); ++i) {
    if (!text.empty()) text += "; ";
    text += merge::difference_text(edits[i]);
  }
  if (edits.size() > kNamed) text += fmt::format("; and {} more", edits.size() - kNamed);
  return invalid(
      "the package has local edits, so it cannot be fast-forwarded ({}): use resource-merge to "
      "keep the edits, or force-delete-replace to drop them",
      text);
}

}  // namespace

std::vector<Difference> local_edits(const krm::Package& base, const krm::Package& ours) {
  if (krm::equal(base, ours)) return {};
  const auto plain = with_base_parts(ours, base, nullptr);
  return merge::differences(base, plain ? *plain : ours);
}

Result<MergedPackage> merge_builds(const MergeBuilds& builds) {
  if (builds.strategy == Strategy::kForceDeleteReplace) return MergedPackage{builds.theirs, {}};
  const std::vector<Difference> edits = local_edits(builds.base, builds.ours);
  if (builds.strategy == Strategy::kFastForward && !edits.empty()) return edited(edits);
  if (edits.empty() && (builds.strategy != Strategy::kResourceMerge ||
                        !merge::has_new_comments(builds.base, builds.ours)))
    return MergedPackage{builds.theirs, {}};

  PORTICO_TRY(const krm::Package ours, with_base_parts(builds.ours, builds.base, &builds.theirs));
  merge::StrategyOptions options;
  options.strategy = builds.strategy;
  options.on_conflict = internal::while_merging(builds.on_conflict);
  options.builds = true;
  PORTICO_TRY(MergedPackage merged,
              merge::update_package({builds.base, builds.theirs, ours}, options));
  PORTICO_DO(settle_kptfile(merged.package, builds));
  return internal::finished(std::move(merged), builds.on_conflict, false);
}

}  // namespace portico::package
