// Merges three versions of one resource field by field, in the text of the local version.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/object.h"
#include "merge/on_conflict.h"
#include "merge/schema.h"

namespace portico::merge {

/// A thing that both sides changed differently. nullopt stands for a missing value.
struct Conflict {
  std::string file;        // in the local package; "" where a single object was merged
  krm::ResourceId object;  // empty where the conflict concerns a file
  std::string field;       // "spec.containers[name=web].image"; "" for the whole object or file
  std::optional<json::Value> base, ours, theirs;
  bool took_theirs = true;
  std::string rule;  // why it is a conflict, in a few words
  bool operator==(const Conflict&) const = default;
};

/// "web.yaml: Deployment.apps default/web: spec.replicas: 3 here, 5 upstream: both changed it"
std::string conflict_text(const Conflict& conflict);
/// "Deployment.apps default/web"; "" for an empty id.
std::string object_text(const krm::ResourceId& id);
/// The value as JSON on one line, cut after about `longest` bytes; "" for nullopt.
std::string value_text(const std::optional<json::Value>& value, std::size_t longest);

/// Fails with kInvalid if there are conflicts; the error names the first ones and counts the rest.
Result<Done> refuse(const std::vector<Conflict>& conflicts);

struct TreeOptions {
  OnConflict on_conflict = OnConflict::kUpstream;
  Schema schema;            // of the object; see Schemas::of
  bool infer_keys = false;  // lists without a schema: by inferred_key()
  /// Paths of fields that keep their local version.
  std::vector<std::vector<std::string>> keep;
};

struct Merged {
  krm::Object object;
  std::vector<Conflict> conflicts;  // in field order; `file` is empty
};

/// Applies the changes from `base` to `theirs` to `ours`. `base` may be nullptr: both sides added
/// the object. The rules are kyaml's (merge3, as kpt calls it), with these properties:
/// - Where upstream changed nothing, `ours` keeps every byte.
/// - Content taken from upstream keeps its comments and layout. A scalar whose value alone changes
///   keeps its local quotes and a comment that was changed locally.
/// - A comment on a line follows the same three-way rule as a value.
/// - A field that upstream removed is removed, together with local changes to it and with the map
///   that it leaves empty. Local additions to that map, or to a keyed list, stay. An explicit null
///   upstream removes as well.
/// - A field removed locally stays removed, unless upstream changed it (a conflict).
/// - Lists are merged item by item if a schema (or infer_keys) gives a key, else as one value. They
///   are also merged as one value if an item has no key or two items of one list have the same key.
///   Local items keep their order; a new item goes in front of the item that follows it upstream,
///   else at the end.
/// kInvalid if an edit is not possible, and for conflicts with OnConflict::kFail.
Result<Merged> merge_object(const krm::Object* base, const krm::Object& theirs,
                            const krm::Object& ours, const TreeOptions& options);

}  // namespace portico::merge
