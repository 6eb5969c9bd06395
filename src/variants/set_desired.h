// What the targets of a set ask for, each independently: a variant or an error.
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

/// A target that yields no variant. The variant that it yielded before is left unchanged.
struct FailedTarget {
  std::size_t target = 0;
  /// The variant it concerns; nullopt if the error occurred before that was known.
  std::optional<VariantKey> key;
  std::string repo_default, package_default;
  Error error;
};

struct DesiredSet {
  std::vector<DesiredVariant> variants;                       // by key, without duplicates
  std::vector<FailedTarget> failures;                         // in spec order
  std::set<std::string, std::less<>> unknown_repositories{};  // needed, not asked for yet
};

/// Unrolls and expands the targets. An Error means that nothing is known about what the set wants
/// (see unroll). Errors of single targets are in `failures`: a failing expression, a missing
/// Repository, an invalid spec, and pairs produced by several targets, which make all of these
/// targets fail.
Result<DesiredSet> desired_variants(const SetSnapshot& snapshot, const CompiledSet& compiled,
                                    const Revision& upstream);

}  // namespace portico::variants
