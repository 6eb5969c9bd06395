#include "merge/internal/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "merge/internal/comment_text.h"
#include "merge/internal/head_comment.h"
#include "merge/internal/node_values.h"
#include "merge/merge_key.h"

namespace portico::merge::internal {
namespace {

enum Side : std::size_t { kBase, kTheirs, kOurs, kSides };
/// kpt's names for the sides, which users know from its messages.
constexpr const char* kSideNames[] = {"original", "updated", "dest"};

struct Entry {
  std::string file;
  std::size_t index = 0;  // in the file
  krm::Object object;
  krm::ResourceId id;  // upstream identity; empty if this is not a resource
};

/// One resource in up to three versions.
struct ResourceVersions {
  const Entry* sides[kSides] = {};
  const Entry* base() const { return sides[kBase]; }
  const Entry* theirs() const { return sides[kTheirs]; }
  const Entry* ours() const { return sides[kOurs]; }
};

/// The result for a resource: no object, or an object and its file.
struct Outcome {
  std::optional<krm::Object> object;
  std::string file;
};

struct Placed {
  krm::Object object;
  std::optional<std::size_t> theirs_index;  // its index in the new upstream's file
};

/// The objects of a file that is merged resource by resource; nullopt for a file that is merged as
/// bytes because it holds several documents that cannot be told apart. An error if it does not
/// parse.
Result<std::optional<std::vector<krm::Object>>> objects_of(const std::string& path,
                                                           const krm::File& file) {
  using Objects = std::optional<std::vector<krm::Object>>;
  if (!is_resource_file(path) || file.mode == krm::FileMode::kSymlink) return Objects();
  PORTICO_TRY(std::vector<krm::Object> objects, file.objects());
  for (const krm::Object& object : objects) {
    if (object.is_krm()) continue;
    if (objects.size() > 1 || !object.value().is_object()) return Objects();
  }
  return Objects(std::move(objects));
}

/// `object` with the merge key that fetching adds.
krm::Object marked(const krm::Object& object) {
  krm::Object copy = object;
  return add_merge_key(copy) ? copy : object;
}

/// Unchanged locally: equals the old upstream, with or without a merge key.
bool is_untouched(const krm::Object& base, const krm::Object& ours) {
  return ours == base || ours == marked(base);
}

json::Value without_key(const json::Value& object) {
  json::Value copy = object.without_at({"metadata", "annotations", kUpstreamIdentifier});
  if (copy["metadata"]["annotations"].empty()) copy = copy.without_at({"metadata", "annotations"});
  return copy;
}

std::vector<std::string_view> comments_without_key(const std::string& text) {
  std::vector<std::string_view> comments = comment_lines(text);
  std::erase_if(comments, is_merge_key);
  return comments;
}

/// Equal for a reader: same values and comments, whatever the layout; merge keys are ignored.
bool is_unchanged(const krm::Object& a, const krm::Object& b) {
  return a == b || (without_key(a.value()) == without_key(b.value()) &&
                    comments_without_key(a.text()) == comments_without_key(b.text()));
}

/// The file with the merge keys that fetching adds.
Result<krm::File> marked_file(const std::string& path, const krm::File& file) {
  krm::Package alone;
  alone.files.emplace(path, file);
  PORTICO_TRY(alone, with_merge_keys(alone));
  return alone.files.at(path);
}

/// Unchanged locally in every byte, apart from merge keys.
bool is_untouched_file(const std::string& path, const krm::File* base, const krm::File* ours) {
  if (base == nullptr || ours == nullptr) return base == ours;
  if (*base == *ours) return true;
  const auto marked = marked_file(path, *base);
  return marked && *marked == *ours;
}

class Contents {
 public:
  Contents(const krm::Package& base, const krm::Package& theirs, krm::Package& ours,
           const Schemas& schemas, OnConflict on_conflict, std::vector<Conflict>& conflicts)
      : packages_{&base, &theirs, &ours},
        ours_(ours),
        schemas_(schemas),
        on_conflict_(on_conflict),
        conflicts_(conflicts) {}

  Result<Done> run() {
    PORTICO_DO(collect());
    PORTICO_DO(pair());
    std::map<const Entry*, Outcome> outcomes;
    std::vector<std::pair<const Entry*, Outcome>> arrivals;  // not previously in this file
    for (const ResourceVersions& family : families_) {
      PORTICO_TRY(Outcome outcome, merge(family));
      if (!outcome.object) continue;
      if (family.ours() != nullptr && family.ours()->file == outcome.file) {
        outcomes.emplace(family.ours(), std::move(outcome));
      } else {
        arrivals.emplace_back(family.theirs(), std::move(outcome));
      }
    }
    PORTICO_DO(place(outcomes, std::move(arrivals)));
    merge_other_files();
    return Done{};
  }

 private:
  /// A file that parses on one side but not on another is broken: an error unless it is unchanged
  /// locally. A file that parses on no side is a template or the like.
  Result<Done> collect() {
    std::set<std::string> paths;
    for (const krm::Package* package : packages_)
      for (const auto& [path, file] : package->files) paths.insert(path);
    for (const std::string& path : paths) {
      std::optional<std::vector<krm::Object>> objects[kSides];
      std::optional<Error> broken;
      bool structured = true, parses = false;
      const krm::File* const base = packages_[kBase]->find(path);
      for (std::size_t side = 0; side < kSides; ++side) {
        const krm::File* file = packages_[side]->find(path);
        if (file == nullptr) continue;
        if (base != nullptr && *file == *base) file = base;  // reuses the parsed file
        auto found = objects_of(path, *file);
        if (!found) {
          if (!broken) broken = std::move(found).error().in(path).in(kSideNames[side]);
          continue;
        }
        parses = true;
        objects[side] = *std::move(found);
        structured = structured && objects[side].has_value();
      }
      if (broken && parses && !is_untouched_file(path, base, packages_[kOurs]->find(path)))
        return *std::move(broken);
      structured = structured && !broken;
      if (!structured) {
        other_files_.push_back(path);
        continue;
      }
      for (std::size_t side = 0; side < kSides; ++side) {
        if (!objects[side]) continue;
        for (std::size_t i = 0; i < objects[side]->size(); ++i) {
          krm::Object& object = (*objects[side])[i];
          krm::ResourceId id = upstream_identity(object);
          entries_[side].push_back({path, i, std::move(object), std::move(id)});
        }
      }
    }
    return Done{};
  }

  Result<Done> pair() {
    std::map<std::pair<std::string, krm::ResourceId>, ResourceVersions> by_place;
    for (std::size_t side = 0; side < kSides; ++side)
      for (const Entry& entry : entries_[side]) {
        const Entry*& slot = by_place[{entry.file, entry.id}].sides[side];
        if (slot != nullptr)
          return invalid(
              "found duplicate \"{}\" resources in file \"{}\": {} {}/{} is there twice, please "
              "refer to \"update\" documentation for the fix",
              kSideNames[side], entry.file, entry.id.kind, entry.id.ns, entry.id.name);
        slot = &entry;
      }
    for (auto& [place, family] : by_place) families_.push_back(family);
    pair_across_files();
    return Done{};
  }

  /// Pairs resources across files where no side has the resource twice.
  void pair_across_files() {
    std::map<krm::ResourceId, std::vector<std::size_t>> incomplete;
    for (std::size_t i = 0; i < families_.size(); ++i) {
      const ResourceVersions& family = families_[i];
      const Entry* any = family.base() != nullptr     ? family.base()
                         : family.theirs() != nullptr ? family.theirs()
                                                      : family.ours();
      const bool complete =
          family.base() != nullptr && family.theirs() != nullptr && family.ours() != nullptr;
      if (!complete && !any->id.kind.empty()) incomplete[any->id].push_back(i);
    }
    for (const auto& [id, indices] : incomplete) {
      if (indices.size() < 2) continue;
      ResourceVersions whole;
      bool unambiguous = true;
      for (const std::size_t index : indices)
        for (std::size_t side = 0; side < kSides; ++side) {
          const Entry* entry = families_[index].sides[side];
          if (entry == nullptr) continue;
          unambiguous = unambiguous && whole.sides[side] == nullptr;
          whole.sides[side] = entry;
        }
      if (!unambiguous) continue;
      for (const std::size_t index : indices) families_[index] = ResourceVersions{};
      families_[indices.front()] = whole;
    }
    std::erase_if(families_, [](const ResourceVersions& family) {
      return family.base() == nullptr && family.theirs() == nullptr && family.ours() == nullptr;
    });
  }

  Result<Outcome> merge(const ResourceVersions& family) {
    const Entry *base = family.base(), *theirs = family.theirs(), *ours = family.ours();
    if (theirs == nullptr && ours == nullptr) return Outcome{};
    if (ours == nullptr) {
      if (base == nullptr) return Outcome{theirs->object, theirs->file};
      if (!is_unchanged(base->object, theirs->object))
        report(*theirs, family, "removed here, changed upstream");
      return Outcome{};
    }
    if (theirs == nullptr) {
      if (base == nullptr) return Outcome{ours->object, ours->file};
      if (is_unchanged(base->object, ours->object)) return Outcome{};
      report(*ours, family, "removed upstream, changed here");
      return Outcome{ours->object, ours->file};
    }
    const bool moved_upstream =
        base != nullptr && base->file == ours->file && theirs->file != base->file;
    Outcome outcome{{}, moved_upstream ? theirs->file : ours->file};
    if (base != nullptr && base->object == theirs->object) {
      outcome.object =
          internal::with_head_comment(base->object, theirs->object, ours->object, ours->object);
      return outcome;
    }
    if (base != nullptr && is_untouched(base->object, ours->object)) {
      outcome.object = ours->object == base->object ? theirs->object : marked(theirs->object);
      return outcome;
    }
    TreeOptions options;
    options.on_conflict = on_conflict_ == OnConflict::kFail ? OnConflict::kUpstream : on_conflict_;
    options.schema = schemas_.of(ours->object);
    PORTICO_TRY(Merged merged,
                merge_object(base == nullptr ? nullptr : &base->object, theirs->object,
                             ours->object, options),
                ours->file);
    for (Conflict& conflict : merged.conflicts) {
      conflict.file = outcome.file;
      conflicts_.push_back(std::move(conflict));
    }
    outcome.object = base == nullptr
                         ? std::move(merged.object)
                         : internal::with_head_comment(base->object, theirs->object, ours->object,
                                                       std::move(merged.object));
    return outcome;
  }

  void report(const Entry& entry, const ResourceVersions& family, std::string_view rule) {
    Conflict conflict;
    conflict.file = entry.file;
    conflict.object = entry.object.id();
    if (family.base() != nullptr) conflict.base = family.base()->object.value();
    if (family.ours() != nullptr) conflict.ours = family.ours()->object.value();
    if (family.theirs() != nullptr) conflict.theirs = family.theirs()->object.value();
    conflict.took_theirs = false;
    conflict.rule = rule;
    conflicts_.push_back(std::move(conflict));
  }

  static std::map<std::string, std::vector<const Entry*>> by_file(
      const std::vector<Entry>& entries) {
    std::map<std::string, std::vector<const Entry*>> files;
    for (const Entry& entry : entries) files[entry.file].push_back(&entry);
    return files;
  }

  Result<Done> place(std::map<const Entry*, Outcome>& outcomes,
                     std::vector<std::pair<const Entry*, Outcome>> arrivals) {
    std::map<const Entry*, std::size_t> theirs_index;
    for (const ResourceVersions& family : families_)
      if (family.ours() != nullptr && family.theirs() != nullptr &&
          family.ours()->file == family.theirs()->file)
        theirs_index.emplace(family.ours(), family.theirs()->index);

    const auto our_files = by_file(entries_[kOurs]);
    const auto their_files = by_file(entries_[kTheirs]);
    std::map<std::string, std::vector<Placed>> files;
    for (const auto& [path, entries] : our_files) {
      std::vector<Placed>& placed = files[path];
      for (const Entry* entry : entries) {
        const auto outcome = outcomes.find(entry);
        if (outcome == outcomes.end()) continue;
        const auto index = theirs_index.find(entry);
        placed.push_back({*std::move(outcome->second.object), index == theirs_index.end()
                                                                  ? std::nullopt
                                                                  : std::optional(index->second)});
      }
    }
    std::sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.file, a.first->index) < std::pair(b.second.file, b.first->index);
    });
    for (auto& [entry, outcome] : arrivals) arrive(files[outcome.file], *entry, outcome);
    for (auto& [path, placed] : files) PORTICO_DO(write(path, placed, our_files, their_files));
    return Done{};
  }

  /// Inserts after the entry that precedes it upstream.
  static void arrive(std::vector<Placed>& placed, const Entry& entry, Outcome& outcome) {
    auto at = placed.end();
    bool follows = false;
    for (auto one = placed.begin(); one != placed.end(); ++one) {
      if (!one->theirs_index) continue;
      if (*one->theirs_index < entry.index) {
        at = one + 1;
        follows = true;
      } else if (!follows) {
        at = one;
        break;
      }
    }
    placed.insert(at, {*std::move(outcome.object), entry.index});
  }

  static bool holds(const std::map<std::string, std::vector<const Entry*>>& files,
                    const std::string& path, const std::vector<Placed>& placed) {
    const auto file = files.find(path);
    return file != files.end() &&
           std::equal(
               file->second.begin(), file->second.end(), placed.begin(), placed.end(),
               [](const Entry* entry, const Placed& one) { return entry->object == one.object; });
  }

  /// Whether the file holds exactly upstream's resources, in any order.
  static bool is_upstreams(const std::map<std::string, std::vector<const Entry*>>& files,
                           const std::string& path, const std::vector<Placed>& placed) {
    const auto file = files.find(path);
    if (file == files.end() || file->second.size() != placed.size()) return false;
    return std::all_of(placed.begin(), placed.end(), [&](const Placed& one) {
      if (!one.theirs_index) return false;
      const krm::Object& theirs = file->second[*one.theirs_index]->object;
      return one.object == theirs || one.object == marked(theirs);
    });
  }

  Result<Done> write(const std::string& path, const std::vector<Placed>& placed,
                     const std::map<std::string, std::vector<const Entry*>>& our_files,
                     const std::map<std::string, std::vector<const Entry*>>& their_files) {
    const krm::File* base = packages_[kBase]->find(path);
    const krm::File* theirs = packages_[kTheirs]->find(path);
    const krm::File* ours = ours_.find(path);
    if (placed.empty()) {
      if (our_files.contains(path)) ours_.files.erase(path);
      return Done{};
    }
    krm::FileMode mode = ours == nullptr ? theirs->mode : ours->mode;
    if (ours != nullptr && theirs != nullptr && base != nullptr && ours->mode == base->mode)
      mode = theirs->mode;
    krm::File file;
    if (theirs != nullptr && ours != nullptr && is_upstreams(their_files, path, placed) &&
        is_untouched_file(path, base, ours)) {
      file = *theirs;
      if (!(*base == *ours)) {
        PORTICO_TRY(file, marked_file(path, *theirs));
      }
    } else if (ours != nullptr && holds(our_files, path, placed)) {
      file = *ours;
    } else if (theirs != nullptr && holds(their_files, path, placed)) {
      file = *theirs;
    } else {
      std::vector<krm::Object> objects;
      for (const Placed& one : placed) objects.push_back(one.object);
      file = krm::File(krm::Object::join_file(objects));
    }
    file.mode = mode;
    ours_.files.insert_or_assign(path, std::move(file));
    return Done{};
  }

  void merge_other_files() {
    for (const std::string& path : other_files_) {
      const krm::File *base = packages_[kBase]->find(path), *ours = ours_.find(path);
      if (is_untouched_file(path, base, ours)) base = ours;
      const krm::File* merged =
          merge_file(path, base, packages_[kTheirs]->find(path), ours, conflicts_);
      if (merged == ours) continue;
      if (merged == nullptr) {
        ours_.files.erase(path);
      } else {
        ours_.files.insert_or_assign(path, krm::File(*merged));
      }
    }
  }

  const krm::Package* packages_[kSides];
  krm::Package& ours_;
  const Schemas& schemas_;
  OnConflict on_conflict_;
  std::vector<Conflict>& conflicts_;
  std::vector<Entry> entries_[kSides];
  std::vector<ResourceVersions> families_;
  std::vector<std::string> other_files_;
};

std::optional<json::Value> description(const krm::File* file) {
  if (file == nullptr) return {};
  return json::Value(fmt::format("{} bytes", file->text().size()));
}

bool same_file(const krm::File* a, const krm::File* b) {
  return a == nullptr || b == nullptr ? a == b : *a == *b;
}

}  // namespace

const krm::File* merge_file(const std::string& path, const krm::File* base, const krm::File* theirs,
                            const krm::File* ours, std::vector<Conflict>& conflicts) {
  if (same_file(base, ours)) return theirs;
  if (same_file(base, theirs) || same_file(ours, theirs)) return ours;
  Conflict conflict;
  conflict.file = path;
  conflict.base = description(base);
  conflict.theirs = description(theirs);
  conflict.ours = description(ours);
  conflict.took_theirs = false;
  conflict.rule = "changed on both sides";
  conflicts.push_back(std::move(conflict));
  return ours;
}

Result<Done> merge_contents(const krm::Package& base, const krm::Package& theirs,
                            krm::Package& ours, const Schemas& schemas, OnConflict on_conflict,
                            std::vector<Conflict>& conflicts) {
  return Contents(base, theirs, ours, schemas, on_conflict, conflicts).run();
}

}  // namespace portico::merge::internal
