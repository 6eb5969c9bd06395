// A strategic merge patch laid over one resource.
#pragma once

#include <optional>

#include "base/result.h"
#include "krm/object.h"
#include "merge/schema.h"

namespace portico::merge {

/// What "$patch" in a map, or in an item of a list that holds nothing else, asks for.
enum class Directive { kMerge, kReplace, kDelete };

struct DirectedPatch {
  Directive directive = Directive::kMerge;
  krm::Object patch;  // without the directive of its root
};

/// The directive at the root of a patch. kInvalid for a scalar and for an unknown word.
Result<DirectedPatch> split_directive(const krm::Object& patch);

struct PatchOptions {
  Schema schema;            // of the object; see Schemas::of
  bool infer_keys = false;  // lists without a schema: by inferred_key()
  bool prepend = false;     // new items of lists go in front of what they precede in the patch
};

/// The object with the patch on it, or nothing where the patch deletes it. As kyaml's merge2:
/// members and items of keyed lists that the patch does not name stay; null removes; lists without
/// a key are replaced; a changed scalar takes the patch's comment. Everything else keeps its bytes,
/// and items that are there keep their places, also with `prepend`.
Result<std::optional<krm::Object>> patch_object(const krm::Object& patch, const krm::Object& object,
                                                const PatchOptions& options);

}  // namespace portico::merge
