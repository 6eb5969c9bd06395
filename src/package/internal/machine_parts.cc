#include "package/internal/machine_parts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merge/merge_key.h"
#include "package/inject.h"
#include "package/kptfile.h"
#include "package/pipeline.h"

namespace portico::package::internal {
namespace {

krm::Path below(krm::Path path, krm::Step step) {
  path.push_back(std::move(step));
  return path;
}

krm::Edit copy_of(const krm::Object& from, krm::Path from_path, krm::Path path,
                  krm::Edit::Verb verb = krm::Edit::Verb::kSet) {
  krm::Edit edit;
  edit.verb = verb;
  edit.path = std::move(path);
  edit.from = &from;
  edit.from_path = std::move(from_path);
  return edit;
}

bool is_of_injection(std::string_view type) { return type.starts_with(kInjectionCondition); }
bool is_program_condition(std::string_view type) {
  return type == "Rendered" || is_of_injection(type);
}

/// A list some of whose items are written by programs.
struct OwnedList {
  krm::Path path;
  std::string key;  // the member that identifies an item
  bool (*is_owned)(std::string_view key);
  bool in_front = false;  // where items without a neighbor are inserted
};

std::optional<std::size_t> find_item(const json::Value& list, const std::string& key,
                                     std::string_view wanted) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i][key].as_string() == wanted) return i;
  return {};
}

/// After the item that precedes it in `wanted`, or before the one that follows it, or at the list's
/// default position.
std::size_t place_for(std::size_t index, const json::Value& wanted, const json::Value& have,
                      const OwnedList& list) {
  const auto place_of = [&](std::size_t i) {
    return find_item(have, list.key, wanted[i][list.key].as_string());
  };
  for (std::size_t i = index; i-- > 0;)
    if (const auto place = place_of(i)) return *place + 1;
  for (std::size_t i = index + 1; i < wanted.size(); ++i)
    if (const auto place = place_of(i)) return *place;
  return list.in_front ? 0 : have.size();
}

Result<Done> restore_list(krm::Object& kptfile, const krm::Object& base, const krm::Object* theirs,
                          const OwnedList& list) {
  const json::Value wanted = value_at(base, list.path);
  const json::Value have = value_at(kptfile, list.path);
  const json::Value others = theirs == nullptr ? json::Value() : value_at(*theirs, list.path);
  if (!have.is_null() && !have.is_array()) return Done{};
  std::set<std::string, std::less<>> seen;
  std::vector<krm::Edit> edits;
  for (std::size_t i = 0; i < have.size(); ++i) {
    const std::string name(have[i][list.key].as_string());
    if (!list.is_owned(name)) continue;
    const auto known = find_item(wanted, list.key, name);
    const bool stays =
        known || (is_of_injection(name) && theirs != nullptr && !find_item(others, list.key, name));
    if (!seen.insert(name).second || !stays) {
      krm::Edit cut;
      cut.verb = krm::Edit::Verb::kRemove;
      cut.path = below(list.path, i);
      edits.push_back(std::move(cut));
    } else if (known && wanted[*known] != have[i]) {
      edits.push_back(copy_of(base, below(list.path, *known), below(list.path, i)));
    }
  }
  if (!edits.empty()) PORTICO_DO(kptfile.edit(edits));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string_view name = wanted[i][list.key].as_string();
    if (!list.is_owned(name) || seen.contains(name)) continue;
    const json::Value now = value_at(kptfile, list.path);
    const std::size_t place = place_for(i, wanted, now, list);
    PORTICO_DO(kptfile.edit(
        {copy_of(base, below(list.path, i), below(list.path, place),
                 place < now.size() ? krm::Edit::Verb::kInsert : krm::Edit::Verb::kSet)}));
  }
  if (have.empty()) return Done{};
  PORTICO_DO(remove_if_empty(kptfile, list.path));
  return remove_if_empty(kptfile, {list.path.front()});
}

std::vector<json::Value> variant_functions(const json::Value& list) {
  std::vector<json::Value> found;
  for (const json::Value& function : list.items())
    if (is_variant_function(function["name"].as_string())) found.push_back(function);
  return found;
}

Result<Done> restore_field(krm::Object& kptfile, const krm::Object& base, const krm::Path& path) {
  const json::Value wanted = value_at(base, path), have = value_at(kptfile, path);
  if (wanted == have) return Done{};
  if (wanted.is_null()) {
    PORTICO_DO(kptfile.remove(path));
    return path.size() == 1 ? Result<Done>(Done{}) : remove_if_empty(kptfile, {path.front()});
  }
  return kptfile.edit({copy_of(base, path, path)});
}

}  // namespace

Result<krm::Object> with_machine_parts(krm::Object kptfile, const krm::Object& base,
                                       const krm::Object* theirs) {
  for (const krm::Path& path : {krm::Path{"upstream", "type"}, krm::Path{"upstream", "git"},
                                krm::Path{"upstreamLock"}, krm::Path{"status", "renderStatus"}})
    PORTICO_DO(restore_field(kptfile, base, path), krm::path_text(path));
  const OwnedList lists[] = {
      {{"pipeline", "mutators"}, "name", is_variant_function, true},
      {{"pipeline", "validators"}, "name", is_variant_function, true},
      {{"info", "readinessGates"}, "conditionType", is_of_injection},
      {{"status", "conditions"}, "type", is_program_condition},
  };
  for (const OwnedList& list : lists)
    PORTICO_DO(restore_list(kptfile, base, theirs, list), krm::path_text(list.path));
  return kptfile;
}

Result<Done> put_variant_functions_first(krm::Object& kptfile, const krm::Object& base,
                                         const krm::Object& theirs) {
  for (const char* name : {"mutators", "validators"}) {
    const krm::Path path = {"pipeline", name};
    const std::vector<json::Value> wanted = variant_functions(value_at(theirs, path));
    if (wanted == variant_functions(value_at(base, path))) continue;
    const krm::Object before = kptfile;
    const json::Value have = value_at(before, path);
    std::vector<krm::Edit> edits;
    bool in_place = true;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto at = find_item(have, "name", wanted[i]["name"].as_string());
      if (!at) continue;
      in_place = in_place && *at == i;
      edits.push_back(
          copy_of(before, below(path, *at), below(path, std::size_t{0}), krm::Edit::Verb::kInsert));
      krm::Edit cut;
      cut.verb = krm::Edit::Verb::kRemove;
      cut.path = below(path, *at);
      edits.push_back(std::move(cut));
    }
    if (!in_place) PORTICO_DO(kptfile.edit(edits), krm::path_text(path));
  }
  return Done{};
}

Result<krm::Package> with_merge_keys_of(krm::Package package, const krm::Package& base) {
  for (auto& [path, file] : package.files) {
    const krm::File* before = base.find(path);
    if (before == nullptr || *before == file || !merge::is_resource_file(path)) continue;
    auto objects = file.objects();
    const auto base_objects = before->objects();
    if (!objects || !base_objects) continue;
    for (krm::Object& object : *objects) {
      const auto same =
          std::find_if(base_objects->begin(), base_objects->end(),
                       [&](const krm::Object& other) { return other.id() == object.id(); });
      if (same != base_objects->end()) PORTICO_DO(merge::copy_merge_key(object, *same), path);
    }
    if (std::string text = krm::Object::join_file(*objects); text != file.text())
      file = krm::File(std::move(text), file.mode);
  }
  return package;
}

}  // namespace portico::package::internal
