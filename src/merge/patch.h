// Applies a strategic merge patch to one resource.
#pragma once

#include <optional>

#include "base/result.h"
#include "krm/object.h"
#include "merge/schema.h"

namespace portico::merge {

/// The action requested by "$patch", either in a map or in a list item that holds nothing else.
enum class Directive { kMerge, kReplace, kDelete };

struct DirectedPatch {
  Directive directive = Directive::kMerge;
  krm::Object patch;  // without the directive at its root
};

/// Reads the directive at the root of a patch. kInvalid for a scalar and for an unknown directive.
Result<DirectedPatch> split_directive(const krm::Object& patch);

struct PatchOptions {
  Schema schema;            // of the object; see Schemas::of
  bool infer_keys = false;  // lists without a schema: by inferred_key()
  bool prepend = false;     // insert a new list item before the items that follow it in the patch
};

/// Returns the patched object, or nullopt where the patch deletes it. Like kyaml's merge2: members
/// and keyed items that the patch does not name stay; null removes; lists without a key are
/// replaced; a changed scalar takes the patch's comment. Everything else keeps its bytes, and
/// existing items keep their places, with `prepend` too.
Result<std::optional<krm::Object>> patch_object(const krm::Object& patch, const krm::Object& object,
                                                const PatchOptions& options);

}  // namespace portico::merge
