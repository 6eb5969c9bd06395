// Schemas of kinds: Portico's, Kubernetes' own, and those of definitions.
#pragma once

#include "json/value.h"
#include "kinds/explain.h"
#include "krm/meta.h"

namespace portico::cli {

struct DescribedKind {
  kinds::Explained what;
  /// openAPIV3Schema including the fields of every object; null if the fields are unknown.
  json::Value schema = nullptr;
};

/// Describes a kind of Portico or Kubernetes, in its storage version.
DescribedKind described_kind(const krm::GroupKind& kind);
/// Describes a kind by its definition, in the version that a server prefers.
DescribedKind described_kind(const krm::GroupKind& kind, const json::Value& definition);

}  // namespace portico::cli
