// Everything that decides what a PackageVariant has to do, as read at one moment.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/package_variant.h"
#include "base/time.h"
#include "variants/revision.h"

namespace portico::variants {

/// An object that injection took, or looked for in vain, as it is now.
struct InjectedState {
  std::string api_version, kind, name;
  std::string uid;
  std::string content_hash;  // of the field that is injected; "" where there is no such object
  auto operator<=>(const InjectedState&) const = default;
};

struct VariantSnapshot {
  std::shared_ptr<const api::PackageVariant> variant;
  std::vector<Revision> upstreams;  // of the upstream package
  /// Of the downstream package, and every other that the variant owns, in order of their names.
  std::vector<Revision> downstreams;
  bool downstream_repository = true;  // whether the Repository is there
  /// Whether what it holds has been read at least once: before that the lack of downstreams says
  /// nothing.
  bool downstream_read = true;
  /// Whether the Repository is suspended (api::kSuspend): then nothing is written to it.
  bool downstream_suspended = false;
  /// One for each of variant->status.injected.
  std::vector<InjectedState> injected;
  TimePoint now{};
};

/// A digest of all that goes into a downstream revision besides what it was before: the upstream,
/// the mutations of the spec, the injected objects. Equal hashes, nothing to build: that a package
/// never gets a second revision for the same inputs rests on this, whatever its functions do.
/// The builder calls it with the objects it has injected, `decide` with those of the snapshot.
std::string inputs_hash(const api::PackageVariant& variant, const Revision& upstream,
                        std::vector<InjectedState> injected);

/// A digest of the upstream alone: what it is and which commit it is at.
std::string upstream_hash(const Revision& upstream);

}  // namespace portico::variants
