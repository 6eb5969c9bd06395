// All inputs of a PackageVariant's decision, read at one point in time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/package_variant.h"
#include "base/time.h"
#include "variants/revision.h"

namespace portico::variants {

/// The current state of an object that injection used, or looked for without success.
struct InjectedState {
  std::string api_version, kind, name;
  std::string uid;
  std::string content_hash;  // of the injected field; "" if the object does not exist
  auto operator<=>(const InjectedState&) const = default;
};

struct VariantSnapshot {
  std::shared_ptr<const api::PackageVariant> variant;
  std::vector<Revision> upstreams;  // of the upstream package
  /// The revisions of the downstream package, and all others that the variant owns, sorted by name.
  std::vector<Revision> downstreams;
  bool downstream_repository = true;  // whether the Repository exists
  /// Whether the Repository's content has been read at least once. Until then, missing downstreams
  /// mean nothing.
  bool downstream_read = true;
  /// Whether the Repository is suspended (api::kSuspend): nothing is written to it then.
  bool downstream_suspended = false;
  /// The other variants with the same downstream package. Only needed while the variant owns no
  /// revision of it.
  std::vector<std::shared_ptr<const api::PackageVariant>> rivals;
  /// One for each element of variant->status.injected.
  std::vector<InjectedState> injected;
  TimePoint now{};
};

/// A digest of everything that determines a downstream revision apart from its previous content:
/// the upstream, the mutations of the spec and the injected objects. If it has not changed, there
/// is nothing to build. This guarantees that a package never gets a second revision for the same
/// inputs, whatever its functions do. The builder passes the objects that it injected, `decide`
/// those of the snapshot.
std::string inputs_hash(const api::PackageVariant& variant, const Revision& upstream,
                        std::vector<InjectedState> injected);

/// A digest of the upstream alone: its identity and its commit.
std::string upstream_hash(const Revision& upstream);

}  // namespace portico::variants
