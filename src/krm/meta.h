// Kubernetes object metadata on a json::Value, and the names of kinds.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::krm {

/// Identifies a kind in the store. The version is not included, because one object has several
/// versions.
struct GroupKind {
  std::string group, kind;
  auto operator<=>(const GroupKind&) const = default;
};

struct ObjectKey {
  GroupKind type;
  std::string ns, name;
  auto operator<=>(const ObjectKey&) const = default;
  std::string text() const;  // "Repository.config.porch.kpt.dev default/catalog"
};

/// "config.porch.kpt.dev/v1alpha1" -> group and version; "v1" -> "" and "v1".
struct GroupVersion {
  std::string group, version;
  std::string text() const;
};
GroupVersion group_version(std::string_view api_version);

GroupKind group_kind(const json::Value& object);
ObjectKey object_key(const json::Value& object);

std::string_view name_of(const json::Value& object);
std::string_view namespace_of(const json::Value& object);
std::string_view uid_of(const json::Value& object);
std::uint64_t resource_version_of(const json::Value& object);  // 0: none
std::int64_t generation_of(const json::Value& object);
bool is_deleting(const json::Value& object);  // deletionTimestamp is set
std::string_view label_of(const json::Value& object, std::string_view key);
std::string_view annotation_of(const json::Value& object, std::string_view key);
std::map<std::string, std::string> string_map(const json::Value& map);
json::Value to_value(const std::map<std::string, std::string>& map);

std::vector<std::string> finalizers_of(const json::Value& object);
json::Value with_finalizers(const json::Value& object, const std::vector<std::string>& finalizers);

struct OwnerReference {
  std::string api_version, kind, name, uid;
  bool controller = false, block_owner_deletion = false;
  bool operator==(const OwnerReference&) const = default;
};
std::vector<OwnerReference> owners_of(const json::Value& object);
json::Value with_owners(const json::Value& object, const std::vector<OwnerReference>& owners);

/// Checks the rules of Kubernetes (names.go, validation.go): kInvalid, located by field path.
Result<Done> validate_metadata(const json::Value& object);
bool is_dns1123_label(std::string_view text);
bool is_dns1123_subdomain(std::string_view text);
bool is_label_key(std::string_view text);
bool is_label_value(std::string_view text);

/// metav1.LabelSelector: matchLabels and matchExpressions (In, NotIn, Exists, DoesNotExist).
class LabelSelector {
 public:
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist };
  struct Requirement {
    std::string key;
    Operator op = Operator::kIn;
    std::vector<std::string> values;
    bool operator==(const Requirement&) const = default;
  };

  LabelSelector() = default;  // matches everything
  /// From the JSON form {matchLabels, matchExpressions}; errors name the field path.
  static Result<LabelSelector> decode(const json::Value& value);
  /// From kubectl's text form: "a=b,c!=d,e in (f,g),!h,i".
  static Result<LabelSelector> parse(std::string_view text);

  /// The inverse of parse(): parse(text()) has the same requirements.
  std::string text() const;

  bool matches(const std::map<std::string, std::string>& labels) const;
  bool matches_object(const json::Value& object) const;  // its metadata.labels
  const std::vector<Requirement>& requirements() const { return requirements_; }
  bool operator==(const LabelSelector&) const = default;

 private:
  std::vector<Requirement> requirements_;
};

}  // namespace portico::krm
