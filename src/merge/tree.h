// Three versions of one resource become one, field by field, in the text of the local version.
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

/// One thing that both sides changed differently. A missing value is std::nullopt.
struct Conflict {
  std::string file;        // of the local package; "" where a single object was merged
  krm::ResourceId object;  // empty where the conflict is about a file
  std::string field;       // "spec.containers[name=web].image"; "" for the whole object or file
  std::optional<json::Value> base, ours, theirs;
  bool took_theirs = true;
  std::string rule;  // why it is one, a few words
  bool operator==(const Conflict&) const = default;
};

/// "web.yaml: Deployment.apps default/web: spec.replicas: 3 here, 5 upstream: both changed it"
std::string conflict_text(const Conflict& conflict);
/// "Deployment.apps default/web"; "" for an empty id.
std::string object_text(const krm::ResourceId& id);
/// As JSON on one line, cut behind about `longest` bytes; "" where there is none.
std::string value_text(const std::optional<json::Value>& value, std::size_t longest);

/// kInvalid that names the first conflicts and counts the rest; Done where there is none.
Result<Done> refuse(const std::vector<Conflict>& conflicts);

struct TreeOptions {
  OnConflict on_conflict = OnConflict::kUpstream;
  Schema schema;            // of the object; see Schemas::of
  bool infer_keys = false;  // lists without a schema: by inferred_key()
  /// Fields (of the whole object) that stay as they are in the local version.
  std::vector<std::vector<std::string>> keep;
};

struct Merged {
  krm::Object object;
  std::vector<Conflict> conflicts;  // in the order of the fields, `file` empty
};

/// Brings what changed from `base` to `theirs` into `ours`. `base` may be nullptr: both sides added
/// the object. The rules are kyaml's (merge3, as kpt calls it), with these properties:
/// - Where upstream changed nothing, `ours` keeps every byte.
/// - What is taken from upstream comes with its comments and layout; a scalar that only gets
///   another value keeps its local quotes and, if local people wrote it, its comment.
/// - A comment on a line follows the same three-way rule as a value.
/// - A field that upstream removed goes, with local changes to it, and with the map that it leaves
///   empty; what was added locally to that map, or list with keys, stays. An explicit null upstream
///   removes too.
/// - A field removed locally stays removed, unless upstream changed it (a conflict).
/// - Lists are merged item by item where a schema (or infer_keys) gives a key, else as one value;
///   also where an item has no key or two items of one list have the same. Local items keep their
///   order; a new one stands in front of the item that follows it upstream, else at the end.
/// kInvalid where an edit cannot be made, and for OnConflict::kFail.
Result<Merged> merge_object(const krm::Object* base, const krm::Object& theirs,
                            const krm::Object& ours, const TreeOptions& options);

}  // namespace portico::merge
