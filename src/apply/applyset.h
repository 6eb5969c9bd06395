// Apply sets record which objects were applied together, so that those no longer wanted can be
// pruned. Uses the labels and annotations of KEP-3659, like kubectl apply --prune --applyset.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::apply {

inline constexpr std::string_view kApplysetId = "applyset.kubernetes.io/id";
inline constexpr std::string_view kPartOf = "applyset.kubernetes.io/part-of";
inline constexpr std::string_view kApplysetTooling = "applyset.kubernetes.io/tooling";
inline constexpr std::string_view kApplysetKinds = "applyset.kubernetes.io/contains-group-kinds";

/// The object that represents a set: a Secret or a ConfigMap.
struct ApplysetParent {
  std::string kind = "Secret", ns, name;

  krm::ObjectKey key() const { return {{"", kind}, ns, name}; }
};

/// "NAME", "secrets/NAME" or "configmaps/NAME". kInvalid for anything else.
Result<ApplysetParent> parse_applyset(std::string_view text, const std::string& ns);

/// The members' value of the label kPartOf: "applyset-...-v1".
std::string applyset_id(const ApplysetParent& parent);

/// The parent to be stored, with these kinds; `stored` is null if it does not exist. kInvalid if it
/// belongs to another tool, or is not the parent of this set.
Result<json::Value> parent_object(const ApplysetParent& parent, const json::Value& stored,
                                  const std::set<krm::GroupKind>& kinds);

/// The kinds of the members, according to the stored parent.
std::set<krm::GroupKind> kinds_of(const json::Value& parent);

/// `wanted` as a member of the set. kInvalid if `stored` (null: there is none) is a member of
/// another set.
Result<json::Value> as_member(const json::Value& wanted, const json::Value& stored,
                              const std::string& id);

}  // namespace portico::apply
