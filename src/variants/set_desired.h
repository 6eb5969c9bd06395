// What the targets of a set ask for, each on its own: a variant or an error.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "variants/expand.h"
#include "variants/set_snapshot.h"
#include "variants/variant_key.h"

namespace portico::variants {

struct DesiredVariant {
  VariantKey key;
  api::PackageVariantSpec spec;
  std::size_t target = 0;  // in spec.targets
};

/// A target that gives no variant. The variant it gave before is left as it is.
struct FailedTarget {
  std::size_t target = 0;
  /// Which variant it concerns; nothing where the error came before that was known.
  std::optional<VariantKey> key;
  std::string repo_default, package_default;
  Error error;
};

struct DesiredSet {
  std::vector<DesiredVariant> variants;                       // by key, no two alike
  std::vector<FailedTarget> failures;                         // in spec order
  std::set<std::string, std::less<>> unknown_repositories{};  // needed, and not asked for yet
};

/// Unrolls and expands. An Error means that nothing is known (see unroll); what concerns one target
/// is among the failures: a failing expression, a missing Repository, a spec that does not
/// validate, and pairs that several targets give, which then fail all of them.
Result<DesiredSet> desired_variants(const SetSnapshot& snapshot, const CompiledSet& compiled,
                                    const Revision& upstream);

}  // namespace portico::variants
