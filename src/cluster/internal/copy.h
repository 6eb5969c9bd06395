// The local copy of an API's objects: the state from lists and watches, plus our own writes that
// these have not reported yet.
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

/// The form in which a copy keeps an object: without metadata.managedFields, which are often a
/// third of it, and sharing what is equal with `known`, its last version (may be null).
json::Value kept_form(const json::Value& object, const json::Value* known);

/// apiVersion, kind, metadata, and `contentVersion`: the generation, or for kinds without one the
/// resourceVersion. So a change of the content is a change of this form, though its fields are not
/// part of it.
json::Value metadata_form(const json::Value& object);

/// To be changed by one thread at a time. The copy has its own versions, in one order without gaps,
/// whatever the objects' resourceVersions. A change without new content causes no event; but if
/// only the resourceVersion differs, the object is kept with the new one, which updates need.
/// To save memory, objects are kept in their kept_form(); an update without managedFields leaves
/// them as they are.
class Copy {
 public:
  /// `window`: the maximum number of events kept for watches that begin in the past.
  Copy(std::vector<registry::IndexedField> indexes, std::size_t window);

  const registry::State& state() const { return state_; }

  /// A list or watch reported the object, or its deletion, at `version` of the API. Ignored if that
  /// is older than our own write.
  void observed(const krm::ObjectKey& key, const json::Value& object, std::string_view version);
  void observed_gone(const krm::ObjectKey& key, const json::Value& last, std::string_view version);

  /// The API's response to our own write: reads see it from now on. `since` is the copy's version
  /// from before the request was sent. False if the object's versions have no order and the copy's
  /// object has changed since, so that either state may be the newer one: the copy stays as it is.
  bool wrote(const krm::ObjectKey& key, const json::Value& object, registry::ResourceVersion since);
  /// The same for a status. If the API keeps only a part of what was `sent`, because its CRD lacks
  /// fields, reads see what was sent until another client changes the status. Otherwise it would be
  /// written again and again.
  bool wrote_status(const krm::ObjectKey& key, const json::Value& object, const json::Value& sent,
                    registry::ResourceVersion since);
  /// The same for a deletion; `last` is the object's last state. If its versions have no order and
  /// it has changed since, the copy stays as it is until the deletion is reported.
  void wrote_gone(const krm::ObjectKey& key, const json::Value& last,
                  registry::ResourceVersion since);

 private:
  bool is_older(const krm::ObjectKey& key, std::string_view uid, std::string_view version);
  void put(const krm::ObjectKey& key, const json::Value& observed);
  void erase(const krm::ObjectKey& key, const json::Value& last);
  void append(registry::Event event, const krm::ObjectKey& key);
  bool has_changed(const krm::ObjectKey& key, registry::ResourceVersion since) const;
  void note_change(const krm::ObjectKey& key, registry::ResourceVersion version);

  json::Value as_sent(const krm::ObjectKey& key, const json::Value& object);

  static constexpr std::size_t kGone = 1 << 16;
  struct Cut {  // a status that the API kept only in part
    std::string uid;
    json::Value kept, sent;
  };
  const std::size_t window_;
  registry::State state_;
  std::map<krm::ObjectKey, std::string> own_;  // versions of our unreported writes
  std::map<krm::ObjectKey, Cut> cut_;
  // The uids of the last deleted objects, to recognize late reports about them. Not of objects
  // whose versions have no order: Porch gives an object that is created again the same uid.
  LruCache<bool> gone_{kGone};
  // Of objects whose versions have no order: the copy's version of the last change, if that is
  // later than forgotten_.
  static constexpr std::size_t kChanged = 1 << 17;
  std::map<krm::ObjectKey, registry::ResourceVersion> changed_;
  registry::ResourceVersion forgotten_ = 0;
};

}  // namespace portico::cluster
