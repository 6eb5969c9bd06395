// Apply sets: which objects were applied together, so that those that are no longer wanted can be
// pruned. The labels and annotations of KEP-3659, as kubectl apply --prune --applyset keeps them.
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

/// The object that stands for a set: a Secret or a ConfigMap.
struct ApplysetParent {
  std::string kind = "Secret", ns, name;

  krm::ObjectKey key() const { return {{"", kind}, ns, name}; }
};

/// "NAME", "secrets/NAME" or "configmaps/NAME". kInvalid for anything else.
Result<ApplysetParent> parse_applyset(std::string_view text, const std::string& ns);

/// The value of the label kPartOf of the members: "applyset-...-v1".
std::string applyset_id(const ApplysetParent& parent);

/// The parent as it is to be stored, with these kinds; `stored` is null where there is none.
/// kInvalid where it belongs to another tool, or is no parent of this set.
Result<json::Value> parent_object(const ApplysetParent& parent, const json::Value& stored,
                                  const std::set<krm::GroupKind>& kinds);

/// The kinds that the stored parent says its members have.
std::set<krm::GroupKind> kinds_of(const json::Value& parent);

/// `wanted` as a member of the set. kInvalid where `stored` (null: there is none) is one of
/// another.
Result<json::Value> as_member(const json::Value& wanted, const json::Value& stored,
                              const std::string& id);

}  // namespace portico::apply
