// The patches of the Kubernetes API: JSON patch, merge patch, strategic merge patch. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::patch {

/// How many operations a JSON patch may have, and how many bytes its copies may add.
inline constexpr std::size_t kMostOperations = 10'000;
inline constexpr std::size_t kMostCopied = 3 << 20;

/// One operation of a JSON patch. Members that are missing are empty: whether that is a mistake
/// shows when it is applied, as in Kubernetes.
struct Operation {
  std::string op, path, from;
  json::Value value;
};

struct JsonPatch {
  std::vector<Operation> operations;
  std::vector<std::string> unknown;  // "[0].foo": members that no operation has
};

/// The three readers take what was parsed from a request's body. Errors are those of a request that
/// cannot be decoded (Reason::kBadRequest) with Kubernetes' text; too many operations are
/// kTooLarge. null is a JSON patch that does nothing.
Result<JsonPatch> read_json_patch(const json::Value& body);
Result<json::Value> read_merge_patch(const json::Value& body);
Result<json::Value> read_strategic_patch(const json::Value& body);

/// `target` after the operations (RFC 6902), as Kubernetes takes them: a negative index counts from
/// the end, a path need not begin with '/', replace sets a member that is not there, copy of one
/// that is not there copies null. kInvalid where one does not apply: the text is the one that
/// Kubernetes gives for all of them.
Result<json::Value> apply_json_patch(const json::Value& target, const JsonPatch& patch);

/// `target` after a merge patch (RFC 7386).
json::Value apply_merge_patch(const json::Value& target, const json::Value& patch);

/// A list that a strategic merge patch merges rather than replaces.
struct MergedList {
  std::string_view path;  // "metadata.ownerReferences"
  std::string_view key;   // of its items; "" for a list of scalars
};

/// Of a kind of Kubernetes' own.
std::span<const MergedList> merged_lists(std::string_view group, std::string_view kind);

/// `target` after a strategic merge patch with its directives ($patch, $retainKeys,
/// $setElementOrder, $deleteFromPrimitiveList). kInvalid for a directive that makes no sense.
Result<json::Value> apply_strategic_patch(const json::Value& target, const json::Value& patch,
                                          std::span<const MergedList> lists);

}  // namespace portico::patch
