// The objects of an API as they are known here: by what its lists and watches tell, and by what was
// written through it, which they have not told yet.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/lru_cache.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/indexed_field.h"
#include "registry/state.h"

namespace portico::cluster {

/// A value that one thread at a time changes. Its versions are its own: one order without gaps,
/// whatever those of the objects are. What says nothing new makes no event; an object that has
/// nothing but another resourceVersion is kept with that one, for who updates it.
class Copy {
 public:
  /// `window`: events that are kept at most, for watches that begin in the past.
  Copy(std::vector<registry::IndexedField> indexes, std::size_t window);

  const registry::State& state() const { return state_; }

  /// A list or watch says that the object is so, or is gone, at `version` of the API. What is older
  /// than our own write is passed over.
  void told(const krm::ObjectKey& key, const json::Value& object, std::string_view version);
  void told_gone(const krm::ObjectKey& key, const json::Value& last, std::string_view version);

  /// The API's answer to our own write: from now on reads see it.
  void wrote(const krm::ObjectKey& key, const json::Value& object);
  /// The same of a status. Where the API keeps less of it than was `sent`, as its definition does
  /// not have all fields, reads see what was sent until somebody else changes the status: else it
  /// would be written again and again.
  void wrote_status(const krm::ObjectKey& key, const json::Value& object, const json::Value& sent);
  void wrote_gone(const krm::ObjectKey& key, const json::Value& last);

 private:
  bool is_older(const krm::ObjectKey& key, std::string_view uid, std::string_view version);
  void put(const krm::ObjectKey& key, const json::Value& told);
  void erase(const krm::ObjectKey& key, const json::Value& last);
  void append(registry::Event event, const krm::ObjectKey& key);

  json::Value as_sent(const krm::ObjectKey& key, const json::Value& object);

  static constexpr std::size_t kGone = 1 << 16;
  struct Cut {  // a status of which the API has kept a part
    std::string uid;
    json::Value kept, sent;
  };
  const std::size_t window_;
  registry::State state_;
  std::map<krm::ObjectKey, std::string> own_;  // the version of our last write, until it is told
  std::map<krm::ObjectKey, Cut> cut_;
  // The uids of the last that were deleted: what is told late is known by them.
  LruCache<bool> gone_{kGone};
};

}  // namespace portico::cluster
