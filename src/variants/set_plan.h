// Computes the actions that turn a set's existing variants into the desired ones. Pure.
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
  /// The complete object to write; for kDelete the current object.
  std::shared_ptr<const api::PackageVariant> object;
  std::string reason;  // one line, for users
};

/// Deletions that are withheld for now.
struct Hold {
  enum class Why {
    kTargetsUnresolved,   // a failing target may be the reason why they seem unwanted
    kTooMany,             // so many deletions at once look like a mistake
    kRepositoryNotFound,  // the Repository may come back
  };
  Why why = Why::kTooMany;
  std::string message;  // one line: which, why, and how to proceed
  std::vector<SetAction> deletions;
};
const char* name(Hold::Why why);  // "TargetsUnresolved", "DeletionGuard", "RepositoryNotFound"

struct SetPlan {
  std::vector<SetAction> actions;  // deletes first, then by key; empty if there is nothing to do
  std::optional<Hold> hold;
  Asked asks{};  // further names that the plan needs
};

/// Variants are matched by (repository, package), regardless of their names. A spec that is equal
/// is not written, and an update keeps all metadata. New variants get the set's label, a controller
/// reference to the set and the finalizer of variants.
///
/// The variant of a failing target is never deleted. The following deletions are withheld:
///   - all, while a target fails;
///   - all, if (including those in progress) they are three or more, and more than a third of the
///     variants, or were when the status of the set was written;
///   - that of a variant whose Repository is not registered;
/// unless spec.deletionGuard is "off", the annotation kConfirmDeletion equals the set's generation,
/// or the list of targets is explicitly empty. These exceptions do not apply while it is unknown
/// which variant a failing target concerns. Variants that are being deleted are not touched; if
/// they are wanted, they are created again once they are gone.
SetPlan plan(const SetSnapshot& snapshot, const DesiredSet& desired);

}  // namespace portico::variants
