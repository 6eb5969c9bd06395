// Stored objects as structs, decoded once for each version that is met.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "api/decode.h"
#include "api/package_revision.h"
#include "api/package_variant.h"
#include "api/package_variant_set.h"
#include "base/guarded.h"
#include "krm/meta.h"
#include "variants/revision.h"

namespace portico::controllers {

/// Keeps the newest version met of each object, so that looking at a set of thousands of variants
/// decodes those that changed. Safe from any thread.
template <class T>
class Decoded {
 public:
  Result<std::shared_ptr<const T>> get(const json::Value& object) {
    krm::ObjectKey key = krm::object_key(object);
    auto known = entries_.with([&](const auto& entries) -> std::shared_ptr<const T> {
      const auto at = entries.find(key);
      return at != entries.end() && at->second.first.same_as(object) ? at->second.second : nullptr;
    });
    if (known != nullptr) return known;
    auto decoded = api::decode<T>(object);
    if (!decoded) return std::move(decoded).error().in(key.text());
    auto fresh = std::make_shared<const T>(std::move(*decoded));
    entries_.with(
        [&](auto& entries) { entries.insert_or_assign(std::move(key), std::pair(object, fresh)); });
    return fresh;
  }

  void forget(const krm::ObjectKey& key) {
    entries_.with([&](auto& entries) { entries.erase(key); });
  }

 private:
  Guarded<std::map<krm::ObjectKey, std::pair<json::Value, std::shared_ptr<const T>>>> entries_;
};

/// The caches that observing shares.
struct Caches {
  Decoded<api::PackageVariant> variants;
  Decoded<api::PackageVariantSet> sets;
  Decoded<api::PackageRevision> revisions;

  void forget(const krm::ObjectKey& key) {
    variants.forget(key);
    sets.forget(key);
    revisions.forget(key);
  }
};

/// A stored PackageRevision as decisions see it.
Result<variants::Revision> as_revision(const json::Value& object, Caches& caches);

}  // namespace portico::controllers
