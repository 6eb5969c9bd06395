// The data that a PackageRevision object and its Kptfile have in common: labels, annotations,
// gates, conditions.
#pragma once

#include <optional>
#include <vector>

#include "api/package_revision.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// The Kptfile's metadata.labels and annotations, info.readinessGates and status.conditions.
struct KptfileMetadata {
  api::PackageMetadata metadata;
  std::vector<api::ReadinessGate> readiness_gates;
  std::vector<api::Condition> conditions;
  bool operator==(const KptfileMetadata&) const = default;
};

/// kInvalid, with the path, for a field of the wrong type.
Result<KptfileMetadata> read_metadata(const krm::Package& package);

/// The changes to a Kptfile; absent parts stay unchanged.
struct MetadataChange {
  std::optional<api::StringMap> labels, annotations;
  std::optional<std::vector<api::ReadinessGate>> readiness_gates;
  std::optional<std::vector<api::Condition>> conditions;
  bool keep_others = false;  // labels and annotations that are not named stay
};

/// The change that makes the Kptfile match an object (spec.packageMetadata, readinessGates,
/// status.conditions).
MetadataChange change_to(const api::PackageRevision& revision);

/// Entries that stay keep their position and comments. The package is unchanged, byte for byte, if
/// it matches already.
Result<krm::Package> set_metadata(krm::Package package, const MetadataChange& change);

}  // namespace portico::package
