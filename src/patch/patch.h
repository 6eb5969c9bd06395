// The patch types of the Kubernetes API: JSON patch, merge patch, strategic merge patch. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::patch {

/// Maximum number of operations in a JSON patch, and of bytes that its copies may add.
inline constexpr std::size_t kMostOperations = 10'000;
inline constexpr std::size_t kMostCopied = 3 << 20;

/// One operation of a JSON patch. Missing members are empty; as in Kubernetes, they are detected
/// only when the patch is applied.
struct Operation {
  std::string op, path, from;
  json::Value value;
};

struct JsonPatch {
  std::vector<Operation> operations;
  std::vector<std::string> unknown;  // "[0].foo": members that operations do not have
};

/// The three readers take the parsed body of a request. Errors have Reason::kBadRequest with
/// Kubernetes' message for bodies that cannot be decoded; too many operations are kTooLarge. null
/// is a JSON patch without operations.
Result<JsonPatch> read_json_patch(const json::Value& body);
Result<json::Value> read_merge_patch(const json::Value& body);
Result<json::Value> read_strategic_patch(const json::Value& body);

/// Applies the operations (RFC 6902) to `target`, like Kubernetes: a negative index counts from the
/// end, a path need not begin with '/', replace adds a missing member, copy of a missing member
/// copies null. kInvalid if an operation does not apply, with the one message that Kubernetes uses
/// for all of them.
Result<json::Value> apply_json_patch(const json::Value& target, const JsonPatch& patch);

/// Applies a merge patch (RFC 7386) to `target`.
json::Value apply_merge_patch(const json::Value& target, const json::Value& patch);

/// A list that a strategic merge patch merges instead of replacing.
struct MergedList {
  std::string_view path;  // "metadata.ownerReferences"
  std::string_view key;   // of its items; "" for a list of scalars
};

/// The merged lists of one of Kubernetes' own kinds.
std::span<const MergedList> merged_lists(std::string_view group, std::string_view kind);

/// Applies a strategic merge patch with its directives ($patch, $retainKeys, $setElementOrder,
/// $deleteFromPrimitiveList) to `target`. kInvalid for an invalid directive.
Result<json::Value> apply_strategic_patch(const json::Value& target, const json::Value& patch,
                                          std::span<const MergedList> lists);

}  // namespace portico::patch
