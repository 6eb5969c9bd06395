// Object metadata, label selectors and the conditions that every kind of ours has.
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

/// metav1.ObjectMeta. Members that have no field here (managedFields, selfLink, ...) are kept in
/// `rest`, so that what is decoded can be encoded again without loss.
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

/// metav1.LabelSelector as it is written; selector() makes the one that matches.
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

/// kInvalid for an operator that does not exist and for values that do not go with it.
Result<krm::LabelSelector> selector(const LabelSelector& written);

/// metav1.Condition; the conditions of a PackageRevision use type, status, reason, message only.
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
inline constexpr std::string_view kDrifted = "Drifted";      // ours
inline constexpr std::string_view kSuspended = "Suspended";  // ours; there while it is so

// Of sets: whether their variants are healthy, which deletions wait, and that nothing is selected.
inline constexpr std::string_view kVariantsReady = "VariantsReady";
inline constexpr std::string_view kDeletionsHeld = "DeletionsHeld";
inline constexpr std::string_view kNoMatchingTargets = "NoMatchingTargets";

/// What a decision says about one condition; the rest of a Condition is bookkeeping.
struct ConditionValue {
  std::string type;
  bool status = false;
  std::string reason, message;
  bool operator==(const ConditionValue&) const = default;
};

/// `conditions` with `value` in it: in the place of the one of its type, else at the end. Its
/// message loses secrets and what is beyond 32 KiB. lastTransitionTime is `now` where the status
/// changed or was not there, else what it was.
std::vector<Condition> with_condition(std::vector<Condition> conditions,
                                      const ConditionValue& value, std::int64_t generation,
                                      TimePoint now);
/// `conditions` without those of the type.
std::vector<Condition> without_condition(std::vector<Condition> conditions, std::string_view type);
const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type);

}  // namespace portico::api
