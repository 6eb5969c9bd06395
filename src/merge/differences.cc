#include "merge/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "krm/equal.h"
#include "merge/internal/comment_text.h"
#include "merge/internal/field_text.h"
#include "merge/internal/kptfile_schema.h"
#include "merge/internal/node_values.h"
#include "merge/internal/pair_items.h"
#include "merge/merge_key.h"
#include "merge/tree.h"

namespace portico::merge {
namespace {

using internal::ItemMatch;
using internal::kNoItem;
using json::Value;
using Kind = Difference::Kind;

std::optional<Value> copy_of(const Value* value) {
  return value == nullptr ? std::nullopt : std::optional(*value);
}

bool is_nan(const Value& value) {
  return value.type() == Value::Type::kDouble && std::isnan(value.as_double());
}

/// Compares two versions of one resource.
class Fields {
 public:
  Fields(Difference place, std::vector<Difference>& found)
      : place_(std::move(place)), found_(found) {}

  void compare(const Value* before, const Value* after, const Schema& schema) {
    if (before == nullptr || after == nullptr) {
      add(before == nullptr ? Kind::kAdded : Kind::kRemoved, before, after);
    } else if (*before == *after || (is_nan(*before) && is_nan(*after))) {
      return;
    } else if (before->is_object() && after->is_object()) {
      compare_maps(*before, *after, schema);
    } else if (before->is_array() && after->is_array()) {
      compare_lists(*before, *after, schema);
    } else {
      add(Kind::kChanged, before, after);
    }
  }

 private:
  void add(Kind kind, const Value* before, const Value* after) {
    Difference difference = place_;
    difference.kind = kind;
    difference.field = field_.text();
    difference.before = copy_of(before);
    difference.after = copy_of(after);
    found_.push_back(std::move(difference));
  }

  void compare_maps(const Value& before, const Value& after, const Schema& schema) {
    std::set<std::string_view> names;
    for (const Value* map : {&before, &after})
      for (const json::Member& member : map->members()) names.insert(member.name());
    for (const std::string_view name : names) {
      field_.enter(name);
      compare(before.find(name), after.find(name), schema.field(name));
      field_.leave();
    }
  }

  void compare_lists(const Value& before, const Value& after, const Schema& schema) {
    const ListRule rule = rule_for(before, after, schema);
    const auto pairs = rule.kind == ListRule::Kind::kSet      ? pair_set(before, after)
                       : rule.kind == ListRule::Kind::kAtomic ? std::nullopt
                                                              : pair_map(rule, before, after);
    if (!pairs || is_reordered(*pairs)) return add(Kind::kChanged, &before, &after);
    for (const ItemMatch& pair : *pairs) {
      const Value *old_item = internal::item_at(&before, pair.base),
                  *new_item = internal::item_at(&after, pair.ours);
      const Value& any = new_item == nullptr ? *old_item : *new_item;
      field_.enter_item(rule.kind == ListRule::Kind::kSet ? value_text(any, 80)
                                                          : internal::item_label(rule, any));
      compare(old_item, new_item, schema.item());
      field_.leave();
    }
  }

  static ListRule rule_for(const Value& before, const Value& after, const Schema& schema) {
    if (schema.known()) return schema.list_rule();
    const auto key = inferred_key(before), same = inferred_key(after);
    return key && key == same ? ListRule{ListRule::Kind::kMap, {*key}} : ListRule{};
  }

  /// The items of `after`, then those only in `before`.
  static std::optional<std::vector<ItemMatch>> pair_map(const ListRule& rule, const Value& before,
                                                        const Value& after) {
    auto pairs = internal::pair_items(rule, before, Value::array(), after);
    if (!pairs) return {};
    std::set<std::size_t> there;
    for (const ItemMatch& pair : *pairs) there.insert(pair.base);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!there.contains(i)) pairs->push_back({i, kNoItem, kNoItem});
    return pairs;
  }

  static std::optional<std::vector<ItemMatch>> pair_set(const Value& before, const Value& after) {
    std::vector<ItemMatch> pairs;
    std::set<std::size_t> there;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto at = std::find(before.items().begin(), before.items().end(), after[i]);
      const auto index = static_cast<std::size_t>(at - before.items().begin());
      const bool found = at != before.items().end();
      if (found && !there.insert(index).second) return {};  // not a set: it has a duplicate
      pairs.push_back({found ? index : kNoItem, kNoItem, i});
    }
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!there.contains(i)) pairs.push_back({i, kNoItem, kNoItem});
    return pairs;
  }

  /// Whether the items in both lists are in a different order.
  static bool is_reordered(const std::vector<ItemMatch>& pairs) {
    std::size_t last = 0;
    for (const ItemMatch& pair : pairs) {
      if (pair.base == kNoItem || pair.ours == kNoItem) continue;
      if (pair.base < last) return true;
      last = pair.base;
    }
    return false;
  }

  const Difference place_;
  std::vector<Difference>& found_;
  internal::FieldText field_;
};

struct Entry {
  std::string file;
  std::size_t index = 0;  // in the file
  krm::Object object;
};

/// Identifies a resource: its file, its upstream identity, and its number among those with the same
/// file and identity.
using Place = std::tuple<std::string, krm::ResourceId, std::size_t>;
using Entries = std::map<Place, Entry>;

const char* mode_text(krm::FileMode mode) {
  switch (mode) {
    case krm::FileMode::kExecutable:
      return "executable";
    case krm::FileMode::kSymlink:
      return "symlink";
    case krm::FileMode::kRegular:
      break;
  }
  return "regular";
}

class Packages {
 public:
  Packages(const krm::Package& before, const krm::Package& after) : before_(before), after_(after) {
    for (const krm::Package* package : {&before, &after}) schemas_.add_crds(*package);
  }

  std::vector<Difference> run() {
    std::set<std::string> paths;
    for (const krm::Package* package : {&before_, &after_})
      for (const auto& [path, file] : package->files) paths.insert(path);
    for (const std::string& path : paths) compare_files(path);
    compare_resources();
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return std::tie(a.difference.file, a.index) < std::tie(b.difference.file, b.index);
    });
    std::vector<Difference> differences;
    for (Found& one : found_) differences.push_back(std::move(one.difference));
    return differences;
  }

 private:
  struct Found {
    Difference difference;
    std::size_t index = 0;  // of the resource in its file
  };

  void compare_files(const std::string& path) {
    const krm::File *before = before_.find(path), *after = after_.find(path);
    if (before != nullptr && after != nullptr) {
      if (*before == *after) return;
      if (before->mode != after->mode)
        add_file(path, Kind::kChanged, Value(mode_text(before->mode)),
                 Value(mode_text(after->mode)));
      if (before->text() == after->text()) return;
    }
    if (is_structured(path, before) && is_structured(path, after)) {
      const std::size_t old_count = read(path, before, old_), new_count = read(path, after, new_);
      // Without resources, only the file itself can be reported as added or removed.
      if (before == nullptr && new_count == 0) add_file(path, Kind::kAdded, {}, {});
      if (after == nullptr && old_count == 0) add_file(path, Kind::kRemoved, {}, {});
      return;
    }
    add_file(path,
             before == nullptr  ? Kind::kAdded
             : after == nullptr ? Kind::kRemoved
                                : Kind::kChanged,
             {}, {});
  }

  static bool is_structured(const std::string& path, const krm::File* file) {
    return file == nullptr ||
           (is_resource_file(path) && file->mode != krm::FileMode::kSymlink && file->objects());
  }

  static std::size_t read(const std::string& path, const krm::File* file, Entries& entries) {
    if (file == nullptr) return 0;
    const std::vector<krm::Object> objects = *file->objects();
    std::map<krm::ResourceId, std::size_t> seen;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      krm::ResourceId id = upstream_identity(objects[i]);
      const std::size_t nth = seen[id]++;
      entries.emplace(Place{path, std::move(id), nth}, Entry{path, i, objects[i]});
    }
    return objects.size();
  }

  void compare_resources() {
    for (auto at = old_.begin(); at != old_.end();) {
      const auto same = new_.find(at->first);
      if (same == new_.end()) {
        ++at;
        continue;
      }
      compare_versions(at->second, same->second);
      new_.erase(same);
      at = old_.erase(at);
    }
    for (const auto& [old_place, new_place] : moves()) {
      const Entry &before = old_.at(old_place), &after = new_.at(new_place);
      add(after, Kind::kMoved, Value(before.file), Value(after.file));
      compare_versions(before, after);
      old_.erase(old_place);
      new_.erase(new_place);
    }
    for (const auto& [place, entry] : old_) add(entry, Kind::kRemoved, entry.object.value(), {});
    for (const auto& [place, entry] : new_) add(entry, Kind::kAdded, {}, entry.object.value());
  }

  /// Resources that are left exactly once on both sides.
  std::vector<std::pair<Place, Place>> moves() const {
    std::map<krm::ResourceId, std::pair<std::vector<Place>, std::vector<Place>>> by_id;
    for (const auto& [place, entry] : old_) by_id[std::get<1>(place)].first.push_back(place);
    for (const auto& [place, entry] : new_) by_id[std::get<1>(place)].second.push_back(place);
    std::vector<std::pair<Place, Place>> pairs;
    for (const auto& [id, places] : by_id)
      if (!id.kind.empty() && places.first.size() == 1 && places.second.size() == 1)
        pairs.emplace_back(places.first.front(), places.second.front());
    return pairs;
  }

  void compare_versions(const Entry& before, const Entry& after) {
    if (before.object == after.object || krm::equal(before.object, after.object)) return;
    Difference place;
    place.file = after.file;
    place.object = after.object.id();
    const Value kptfile = internal::kptfile_schema();
    const bool is_kptfile = after.object.is_krm() && after.object.kind() == "Kptfile";
    std::vector<Difference> fields;
    Fields(place, fields)
        .compare(&before.object.value(), &after.object.value(),
                 is_kptfile ? Schema::json(kptfile) : schemas_.of(after.object));
    for (Difference& field : fields) found_.push_back({std::move(field), after.index});
  }

  void add(const Entry& entry, Kind kind, std::optional<Value> before, std::optional<Value> after) {
    Difference difference;
    difference.kind = kind;
    difference.file = entry.file;
    difference.object = entry.object.id();
    difference.before = std::move(before);
    difference.after = std::move(after);
    found_.push_back({std::move(difference), entry.index});
  }

  void add_file(const std::string& path, Kind kind, std::optional<Value> before,
                std::optional<Value> after) {
    Difference difference;
    difference.kind = kind;
    difference.file = path;
    difference.before = std::move(before);
    difference.after = std::move(after);
    found_.push_back({std::move(difference), 0});
  }

  const krm::Package& before_;
  const krm::Package& after_;
  Schemas schemas_;
  Entries old_, new_;
  std::vector<Found> found_;
};

std::vector<std::string_view> comments_of(const krm::File& file) {
  std::vector<std::string_view> comments = internal::comment_lines(file.text());
  std::erase_if(comments, internal::is_merge_key);
  std::sort(comments.begin(), comments.end());
  return comments;
}

}  // namespace

std::string_view name(Difference::Kind kind) {
  switch (kind) {
    case Kind::kAdded:
      return "added";
    case Kind::kRemoved:
      return "removed";
    case Kind::kMoved:
      return "moved";
    case Kind::kChanged:
      break;
  }
  return "changed";
}

std::string difference_text(const Difference& difference) {
  constexpr std::size_t kLongest = 80;
  std::string text = difference.file;
  for (const std::string& part : {object_text(difference.object), difference.field})
    if (!part.empty()) text += ": " + part;
  text += fmt::format(": {}", name(difference.kind));
  const bool is_whole = difference.field.empty() && !difference.object.kind.empty() &&
                        difference.kind != Kind::kMoved;
  if (is_whole) return text;
  const std::string before = value_text(difference.before, kLongest),
                    after = value_text(difference.after, kLongest);
  if (!before.empty() && !after.empty()) return text + " from " + before + " to " + after;
  return before.empty() && after.empty() ? text : text + " " + before + after;
}

std::vector<Difference> differences(const krm::Package& before, const krm::Package& after) {
  return Packages(before, after).run();
}

bool has_new_comments(const krm::Package& before, const krm::Package& after) {
  for (const auto& [path, file] : after.files) {
    const krm::File* old = before.find(path);
    if (!is_resource_file(path) || (old != nullptr && *old == file)) continue;
    const auto comments = comments_of(file);
    const auto old_comments = old == nullptr ? std::vector<std::string_view>() : comments_of(*old);
    if (!std::includes(old_comments.begin(), old_comments.end(), comments.begin(), comments.end()))
      return true;
  }
  return false;
}

}  // namespace portico::merge
