// What is known of the fields of kinds: ours, Kubernetes' own, and those that definitions define.
#pragma once

#include "json/value.h"
#include "kinds/explain.h"
#include "krm/meta.h"

namespace portico::cli {

struct DescribedKind {
  kinds::Explained what;
  /// openAPIV3Schema with what every object has; null where nobody says what the fields are.
  json::Value schema = nullptr;
};

/// A kind of ours or of Kubernetes', in the version that is stored.
DescribedKind described_kind(const krm::GroupKind& kind);
/// By its definition, in the version that a server prefers.
DescribedKind described_kind(const krm::GroupKind& kind, const json::Value& definition);

}  // namespace portico::cli
