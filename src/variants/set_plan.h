// What turns the variants a set has into those it wants. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "variants/set_desired.h"
#include "variants/set_snapshot.h"
#include "variants/variant_key.h"

namespace portico::variants {

enum class Verb { kCreate, kUpdate, kDelete };
const char* name(Verb verb);  // "create", ...

struct SetAction {
  Verb verb = Verb::kCreate;
  VariantKey key;
  /// The whole object as it is to be written; of kDelete as it is now.
  std::shared_ptr<const api::PackageVariant> object;
  std::string reason;  // one line, for people
};

struct SetPlan {
  std::vector<SetAction> actions;  // deletes first, then by key; empty where nothing is to be done
  /// Why nothing is deleted though no target is left: see plan(). For the Stalled condition.
  std::optional<std::string> guard;
};

/// Variants are matched by (repository, package), whatever their names. A spec that is equal is not
/// written, and an update keeps all metadata. New ones have the set's label, a controller reference
/// to it and the finalizer of variants.
///
/// Not deleted: the variant of a failing target; any variant while a failing target does not say
/// which one it concerns; and, unless spec.deletionGuard is "off" or the annotation
/// kConfirmDeletion holds the set's generation, all variants at once where there were more than two
/// and a selector that matches nothing is why (`guard` is set then). Variants that are being
/// deleted are left to it, and made anew when they are gone.
SetPlan plan(const SetSnapshot& snapshot, const DesiredSet& desired);

}  // namespace portico::variants
