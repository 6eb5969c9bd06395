// Stored objects as structs, decoded once per version.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
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

/// Caches the last decoded version of each object, so that reconciling a set of thousands of
/// variants decodes only those that changed. Thread-safe.
template <class T>
class Decoded {
 public:
  /// Caches at most `most` objects: it starts anew when it is full.
  explicit Decoded(std::size_t most = std::numeric_limits<std::size_t>::max()) : most_(most) {}

  Result<std::shared_ptr<const T>> get(const json::Value& object) {
    krm::ObjectKey key = krm::object_key(object);
    auto known = entries_.with([&](const auto& entries) -> std::shared_ptr<const T> {
      const auto at = entries.find(key);
      return at != entries.end() && shares_members(at->second.first, object) ? at->second.second
                                                                             : nullptr;
    });
    if (known != nullptr) return known;
    auto decoded = api::decode<T>(object);
    if (!decoded) return std::move(decoded).error().in(key.text());
    auto fresh = std::make_shared<const T>(std::move(*decoded));
    entries_.with([&](auto& entries) {
      if (entries.size() >= most_) entries.clear();
      entries.insert_or_assign(std::move(key), std::pair(object, fresh));
    });
    return fresh;
  }

  void forget(const krm::ObjectKey& key) {
    entries_.with([&](auto& entries) { entries.erase(key); });
  }

 private:
  // A registry may build an object anew for each read, from parts that it stores.
  static bool shares_members(const json::Value& a, const json::Value& b) {
    if (!a.is_object() || !b.is_object()) return a.same_as(b);
    return std::ranges::equal(a.members(), b.members(), [](auto& one, auto& other) {
      return one.value.same_as(other.value) && one.key == other.key;
    });
  }

  const std::size_t most_;
  Guarded<std::map<krm::ObjectKey, std::pair<json::Value, std::shared_ptr<const T>>>> entries_;
};

/// The caches shared by all observe functions.
struct Caches {
  Decoded<api::PackageVariant> variants;
  Decoded<api::PackageVariantSet> sets;
  // Every variant reads those of its upstream again, but each reads those of its downstream alone.
  Decoded<api::PackageRevision> revisions{1024};

  void forget(const krm::ObjectKey& key) {
    variants.forget(key);
    sets.forget(key);
    revisions.forget(key);
  }
};

/// A stored PackageRevision in the form that decisions use.
Result<variants::Revision> as_revision(const json::Value& object, Caches& caches);

}  // namespace portico::controllers
