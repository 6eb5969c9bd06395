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

/// Deletions that are not carried out for now.
struct Hold {
  enum class Why {
    kTargetsUnresolved,   // a failing target may be why they are no longer wanted
    kTooMany,             // so many at once look like a slip
    kRepositoryNotFound,  // it may come back
  };
  Why why = Why::kTooMany;
  std::string message;  // one line: which, why, and what to do
  std::vector<SetAction> deletions;
};
const char* name(Hold::Why why);  // "TargetsUnresolved", "DeletionGuard", "RepositoryNotFound"

struct SetPlan {
  std::vector<SetAction> actions;  // deletes first, then by key; empty where nothing is to be done
  std::optional<Hold> hold;
  Asked asks{};  // what it would have to know besides
};

/// Variants are matched by (repository, package), whatever their names. A spec that is equal is not
/// written, and an update keeps all metadata. New ones have the set's label, a controller reference
/// to it and the finalizer of variants.
///
/// The variant of a failing target is never deleted. Held back are
///   - all deletions, while a target fails;
///   - all deletions, where they (with those under way) are three or more, and more than a third of
///     the variants, or were so when the status of the set was written;
///   - the deletion of a variant whose repository is not registered;
/// unless spec.deletionGuard is "off", the annotation kConfirmDeletion holds the set's generation,
/// or the list of targets is empty as it is written. Not even then while a failing target does not
/// say which variant it concerns. Variants that are being deleted are left to it, and made anew
/// when they are gone.
SetPlan plan(const SetSnapshot& snapshot, const DesiredSet& desired);

}  // namespace portico::variants
