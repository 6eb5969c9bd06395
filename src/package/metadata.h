// What a PackageRevision object and its Kptfile both hold: labels, annotations, gates, conditions.
#pragma once

#include <optional>
#include <vector>

#include "api/package_revision.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// As the Kptfile has it: metadata.labels and annotations, info.readinessGates, status.conditions.
struct KptfileMetadata {
  api::PackageMetadata metadata;
  std::vector<api::ReadinessGate> readiness_gates;
  std::vector<api::Condition> conditions;
  bool operator==(const KptfileMetadata&) const = default;
};

/// kInvalid, with the path, for what has the wrong type.
Result<KptfileMetadata> read_metadata(const krm::Package& package);

/// What the Kptfile is to say; an absent part stays as it is.
struct MetadataChange {
  std::optional<api::StringMap> labels, annotations;
  std::optional<std::vector<api::ReadinessGate>> readiness_gates;
  std::optional<std::vector<api::Condition>> conditions;
  bool keep_others = false;  // labels and annotations that are not named stay
};

/// The change that makes the Kptfile agree with an object (spec.packageMetadata, readinessGates,
/// status.conditions).
MetadataChange change_to(const api::PackageRevision& revision);

/// Entries that stay keep their place and comments. The package is the same, byte for byte, where
/// it agrees already.
Result<krm::Package> set_metadata(krm::Package package, const MetadataChange& change);

}  // namespace portico::package
