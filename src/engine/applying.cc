#include "engine/applying.h"

#include <algorithm>

#include "admission/admission.h"
#include "api/kinds.h"
#include "apply/last_applied.h"
#include "krm/type_names.h"
#include "resources/resources.h"

namespace portico::engine {

using json::Value;

Result<std::vector<Wanted>> wanted_objects(const std::vector<std::string>& files,
                                           Context& context) {
  PORTICO_TRY(const auto manifests, read_manifests(files, context.globals.ns));
  return wanted_of(manifests, context);
}

Result<std::vector<Wanted>> wanted_of(const std::vector<Manifest>& manifests, Context& context) {
  std::vector<Wanted> out;
  for (const Manifest& manifest : manifests) {
    const std::string place = manifest.source + ": " + resources::name_line(manifest.object);
    // Which changes of a revision are valid depends on its stored state: see apply_objects().
    if (krm::group_kind(manifest.object) == api::revision_kind()) {
      PORTICO_DO(krm::validate_type(manifest.object), place);
      PORTICO_DO(krm::validate_metadata(manifest.object), place);
      out.push_back({manifest.source, manifest.object});
      continue;
    }
    PORTICO_TRY(admission::Admitted admitted, admission::admit(manifest.object), place);
    for (const std::string& warning : admitted.warnings)
      context.terminal.warning(fmt::format("{}: {}", place, warning));
    out.push_back({manifest.source, std::move(admitted.object)});
  }
  return out;
}

const char* Applied::verb() const {
  return before.is_null() ? "created" : before == *now ? "unchanged" : "configured";
}

namespace {

bool is_set(const Value& object) { return krm::group_kind(object) == api::variant_set_kind(); }

Value confirmed(const Value& set) {
  return set.with_at({"metadata", "annotations", api::kConfirmDeletion},
                     std::to_string(krm::generation_of(set)));
}

Result<Value> first_of(Result<std::vector<Value>> written) {
  if (!written) return std::move(written).error();
  return std::move(written->front());
}

struct Change {
  Value before;  // null: it does not exist
  registry::Write write;
};

Result<Change> change_for(const registry::Registry& registry, const Wanted& one) {
  const auto stored = registry.get(krm::object_key(one.object));
  if (!stored && stored.error().code != Code::kNotFound) return stored.error();
  Value before = stored ? *stored : Value();
  Value merged = apply::merge_applied(before, one.object);
  const std::string place = one.source + ": " + resources::name_line(one.object);
  if (krm::group_kind(one.object) == api::revision_kind())
    PORTICO_DO(admission::admit_revision(before, merged), place);
  PORTICO_DO(admission::judge(before, merged), place);
  const registry::Verb verb = stored ? registry::Verb::kUpdate : registry::Verb::kCreate;
  return Change{std::move(before), {verb, std::move(merged)}};
}

/// Writes again on the current object if another client, such as a controller that writes a status,
/// changed it after it was read; unless the manifest names the version that it is about.
void repeat(registry::Registry& registry, const Wanted& one, Value& before,
            Result<Value>& written) {
  constexpr int kTries = 5;
  if (!one.object["metadata"]["resourceVersion"].as_string().empty()) return;
  for (int i = 0; i < kTries && !written && written.error().code == Code::kConflict; ++i) {
    auto change = change_for(registry, one);
    if (!change) {
      written = std::move(change).error();
      return;
    }
    before = std::move(change->before);
    written = first_of(registry.commit({change->write}));
  }
}

}  // namespace

Result<std::vector<Applied>> apply_objects(registry::Registry& registry,
                                           const std::vector<Wanted>& wanted,
                                           bool confirm_deletions, Trial trial) {
  if (confirm_deletions && std::none_of(wanted.begin(), wanted.end(),
                                        [](const Wanted& one) { return is_set(one.object); }))
    return invalid(
        "--confirm-deletions: no PackageVariantSet among the objects; apply the set whose "
        "deletions are held back");
  std::vector<registry::Write> writes;
  std::vector<Value> before;
  for (const Wanted& one : wanted) {
    PORTICO_TRY(Change change, change_for(registry, one));
    before.push_back(std::move(change.before));
    writes.push_back(std::move(change.write));
  }
  std::vector<Applied> out;
  std::vector<Result<Value>> written;
  if (trial == Trial::kNo) written = registry.commit_each(writes);
  for (const registry::Write& each : writes)
    if (trial == Trial::kYes) written.push_back(first_of(registry.dry_run({each})));
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (trial == Trial::kNo) repeat(registry, wanted[i], before[i], written[i]);
    if (confirm_deletions && written[i] && is_set(*written[i]))
      written[i] =
          trial == Trial::kYes
              ? Result<Value>(confirmed(*written[i]))
              : first_of(registry.commit({{registry::Verb::kUpdate, confirmed(*written[i])}}));
    out.push_back({before[i], std::move(written[i])});
  }
  return out;
}

std::set<krm::ObjectKey> keys_of(const std::vector<Wanted>& wanted) {
  std::set<krm::ObjectKey> out;
  for (const Wanted& one : wanted) out.insert(krm::object_key(one.object));
  return out;
}

}  // namespace portico::engine
