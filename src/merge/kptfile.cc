#include "merge/kptfile.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "json/value.h"
#include "merge/internal/comment_text.h"
#include "merge/internal/edits.h"
#include "merge/internal/kptfile_schema.h"
#include "merge/internal/pair_items.h"
#include "merge/merge_key.h"

namespace portico::merge {
namespace {

using json::Value;

/// Whether the functions have no names but can be told apart by what they run.
bool paired_by_function(const krm::Object* kptfile) {
  if (kptfile == nullptr) return true;
  const Value& pipeline = kptfile->value()["pipeline"];
  for (const char* list : {"mutators", "validators"}) {
    std::set<std::string> seen;
    for (const Value& function : pipeline[list].items()) {
      if (!function["name"].as_string().empty()) return false;
      if (!seen.insert(internal::function_identity(function)).second) return false;
    }
  }
  return true;
}

Result<Done> take_field(krm::Object& ours, const krm::Object& theirs, const std::string& field) {
  const Value& value = theirs.value()[field];
  if (value.is_null() || value == ours.value()[field]) return Done{};
  krm::Edit edit = internal::copy(krm::Edit::Verb::kSet, {field}, {field});
  edit.from = &theirs;
  return ours.edit({edit});
}

/// Whether to take the new version's upstream. False if only the local package changed it; where
/// both sides changed it, `on_conflict` decides.
bool takes_upstream(const krm::Object* base, const krm::Object& theirs, const krm::Object& ours,
                    OnConflict on_conflict, std::vector<Conflict>& conflicts) {
  if (base == nullptr) return true;
  const Value &old = base->value()["upstream"], &now = theirs.value()["upstream"],
              &here = ours.value()["upstream"];
  if (here == old || here == now) return true;
  if (now == old) return false;
  Conflict conflict;
  conflict.object = ours.id();
  conflict.field = "upstream";
  const auto some = [](const Value& value) {
    return value.is_null() ? std::nullopt : std::optional(value);
  };
  conflict.base = some(old);
  conflict.ours = some(here);
  conflict.theirs = some(now);
  conflict.took_theirs = on_conflict != OnConflict::kLocal;
  conflict.rule = "changed on both sides";
  conflicts.push_back(std::move(conflict));
  return conflicts.back().took_theirs;
}

const krm::Path kMark = {"metadata", "annotations", kUpstreamIdentifier};

/// The Kptfile without the fields that a package keeps for itself and without the render status.
Result<std::string> shared_text(krm::Object kptfile) {
  for (const char* field : {"upstream", "upstreamLock", "status"})
    PORTICO_DO(kptfile.remove({field}));
  PORTICO_DO(kptfile.remove({"metadata", "namespace"}));
  PORTICO_DO(kptfile.remove(kMark));
  if (kptfile.value()["metadata"].contains("annotations") &&
      kptfile.value()["metadata"]["annotations"].empty())
    PORTICO_DO(kptfile.remove({"metadata", "annotations"}));
  if (internal::is_merge_key(kptfile.line_comment({"metadata"})))
    PORTICO_DO(kptfile.set_line_comment({"metadata"}, ""));
  PORTICO_DO(kptfile.set({"metadata", "name"}, ""));
  return std::string(kptfile.text());
}

/// Sets the field in `kptfile` to its value in `ours`, or removes it if `ours` lacks it.
Result<Done> keep_field(krm::Object& kptfile, const krm::Object& ours, const krm::Path& path) {
  const Value* value = &ours.value();
  for (const krm::Step& step : path) value = &(*value)[std::get<std::string>(step)];
  if (value->is_null()) return kptfile.remove(path);
  krm::Edit edit = internal::copy(krm::Edit::Verb::kSet, path, path);
  edit.from = &ours;
  return kptfile.edit({edit});
}

/// The new version with the fields that the package keeps for itself; nullopt if the Kptfile was
/// changed locally or its status needs a merge.
Result<std::optional<krm::Object>> unedited(const krm::Object& base, const krm::Object& theirs,
                                            const krm::Object& ours,
                                            const KptfileOptions& options) {
  using Unedited = std::optional<krm::Object>;
  if (options.builds) return ours == base ? Unedited(theirs) : Unedited();
  const Value &old = base.value(), &now = theirs.value(), &here = ours.value();
  for (const krm::Object* one : {&base, &theirs, &ours})
    if (!one->value()["metadata"].is_object()) return Unedited();
  if (here["apiVersion"] != now["apiVersion"] || here["kind"] != now["kind"]) return Unedited();
  const bool own_status = here["status"] != old["status"];
  if (own_status && now["status"] != old["status"]) return Unedited();
  PORTICO_TRY(const std::string before, shared_text(base));
  PORTICO_TRY(const std::string after, shared_text(ours));
  if (before != after) return Unedited();
  krm::Object kptfile = theirs;
  PORTICO_DO(kptfile.set({"metadata", "name"}, here["metadata"]["name"]));
  PORTICO_DO(keep_field(kptfile, ours, {"metadata", "namespace"}));
  if (!options.take_upstream || here["upstream"] != old["upstream"]) {
    PORTICO_DO(keep_field(kptfile, ours, {"upstream"}));
    PORTICO_DO(keep_field(kptfile, ours, {"upstreamLock"}));
  } else if (!now.contains("upstreamLock")) {
    PORTICO_DO(keep_field(kptfile, ours, {"upstreamLock"}));
  }
  if (own_status) PORTICO_DO(keep_field(kptfile, ours, {"status"}));
  PORTICO_DO(copy_merge_key(kptfile, ours));
  return Unedited(std::move(kptfile));
}

}  // namespace

Result<Merged> merge_kptfile(const krm::Object* base, const krm::Object* theirs,
                             const krm::Object& ours, const KptfileOptions& options) {
  Merged merged{ours, {}};
  if (theirs != nullptr) {
    TreeOptions tree;
    tree.on_conflict = options.on_conflict;
    tree.infer_keys = true;
    const Value schema = options.builds ? internal::kptfile_schema() : internal::functions_schema();
    if (options.builds) {
      tree.schema = Schema::json(schema);
    } else {
      tree.keep = {{"apiVersion"}, {"kind"},        {"metadata", "name"}, {"metadata", "namespace"},
                   {"upstream"},   {"upstreamLock"}};
      if (paired_by_function(base) && paired_by_function(theirs) && paired_by_function(&ours))
        tree.schema = Schema::json(schema);
    }
    std::optional<krm::Object> taken;
    if (base != nullptr) {
      PORTICO_TRY(taken, unedited(*base, *theirs, ours, options));
    }
    if (taken) {
      merged.object = *std::move(taken);
    } else {
      PORTICO_TRY(merged, merge_object(base, *theirs, ours, tree));
    }
  }
  if (options.take_upstream && theirs != nullptr &&
      takes_upstream(base, *theirs, ours, options.on_conflict, merged.conflicts))
    for (const char* field : {"upstream", "upstreamLock"})
      PORTICO_DO(take_field(merged.object, *theirs, field));
  return merged;
}

Result<Done> clear_render_status(krm::Object& kptfile) {
  const Value& status = kptfile.value()["status"];
  if (!status.is_object()) return Done{};
  std::vector<krm::Edit> edits;
  const auto remove = [&edits](krm::Path path) {
    edits.push_back(internal::removal(std::move(path)));
  };
  const Value& conditions = status["conditions"];
  std::size_t rendered = 0;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    if (conditions[i]["type"].as_string() == "Rendered") {
      remove({"status", "conditions", i});
      ++rendered;
    }
  const bool no_conditions = rendered > 0 && rendered == conditions.size();
  if (no_conditions) {
    edits.clear();
    remove({"status", "conditions"});
  }
  if (status.contains("renderStatus")) remove({"status", "renderStatus"});
  if (edits.empty()) return Done{};
  const std::size_t left =
      status.size() - (status.contains("renderStatus") ? 1 : 0) - (no_conditions ? 1 : 0);
  if (left == 0) return kptfile.remove({"status"});
  return kptfile.edit(edits);
}

}  // namespace portico::merge
