// Object metadata, label selectors and the conditions shared by all kinds of this module.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::api {

using StringMap = std::map<std::string, std::string>;

/// metav1.ObjectMeta. Members without a field here (managedFields, selfLink, ...) are kept in
/// `rest`, so that decoding and encoding lose nothing.
struct ObjectMeta {
  std::string name, generate_name, ns, uid, resource_version;
  std::int64_t generation = 0;
  std::string creation_timestamp, deletion_timestamp;
  StringMap labels, annotations;
  std::vector<std::string> finalizers;
  std::vector<krm::OwnerReference> owners;
  json::Value rest;  // an object, or null

  bool deleting() const { return !deletion_timestamp.empty(); }
  bool operator==(const ObjectMeta&) const = default;
};

/// metav1.LabelSelector as written in an object; selector() makes it usable for matching.
struct LabelSelector {
  struct Requirement {
    std::string key, op;  // In, NotIn, Exists, DoesNotExist
    std::vector<std::string> values;
    bool operator==(const Requirement&) const = default;
  };
  StringMap match_labels;
  std::vector<Requirement> match_expressions;
  bool operator==(const LabelSelector&) const = default;

  bool empty() const { return match_labels.empty() && match_expressions.empty(); }
};

/// kInvalid for an unknown operator and for values that the operator does not allow.
Result<krm::LabelSelector> selector(const LabelSelector& written);

/// metav1.Condition; a PackageRevision's conditions use only type, status, reason and message.
struct Condition {
  std::string type;
  std::string status;  // True, False, Unknown
  std::int64_t observed_generation = 0;
  std::string last_transition_time;  // RFC 3339
  std::string reason, message;
  bool operator==(const Condition&) const = default;
};

inline constexpr std::string_view kReady = "Ready";
inline constexpr std::string_view kStalled = "Stalled";
inline constexpr std::string_view kDrifted = "Drifted";      // Portico only
inline constexpr std::string_view kSuspended = "Suspended";  // Portico only; absent unless True

// On sets: whether their variants are healthy, that deletions are withheld, and that nothing is
// selected.
inline constexpr std::string_view kVariantsReady = "VariantsReady";
inline constexpr std::string_view kDeletionsHeld = "DeletionsHeld";
inline constexpr std::string_view kNoMatchingTargets = "NoMatchingTargets";

/// The content of one condition as decided; the other fields of Condition are bookkeeping.
struct ConditionValue {
  std::string type;
  bool status = false;
  std::string reason, message;
  bool operator==(const ConditionValue&) const = default;
};

/// `conditions` with `value`, which replaces the one of its type or is appended. Secrets are
/// removed from its message, which is cut at 32 KiB. lastTransitionTime becomes `now` if the status
/// changed or the condition is new.
std::vector<Condition> with_condition(std::vector<Condition> conditions,
                                      const ConditionValue& value, std::int64_t generation,
                                      TimePoint now);
/// `conditions` without those of this type.
std::vector<Condition> without_condition(std::vector<Condition> conditions, std::string_view type);
const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type);

}  // namespace portico::api
