// Whether an object matches a query. Pure.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"

namespace portico::registry {

class Selector {
 public:
  /// `fields`: the declared fields; they must outlive the Selector. kInvalid if the query names a
  /// field that is not among them.
  static Result<Selector> make(const Query& query, const std::vector<IndexedField>& fields);

  bool matches(const json::Value& object) const {
    return matches_key(krm::object_key(object)) && matches_content(object);
  }
  /// Kind, namespace and name, which never change in an object.
  bool matches_key(const krm::ObjectKey& key) const;
  /// Labels, owner and fields.
  bool matches_content(const json::Value& object) const;
  /// The event as a watch with this selector reports it: unchanged, as an addition or deletion if
  /// the object began or stopped matching, or nullopt. The object's key must match.
  std::optional<Event> see(const Event& event) const;
  /// Whether see() would return an event.
  bool concerns(const Event& event) const;
  /// Whether matches_content() is true for every object.
  bool every_content() const;

  /// Removes requirements that the candidates are known to meet.
  void drop_labels() { labels_ = {}; }
  void drop_owner() { owner_.reset(); }
  void drop_field(const FieldRequirement& met);

 private:
  struct Field {
    const IndexedField* index = nullptr;
    FieldRequirement wanted;
  };

  krm::ObjectKey key_;  // "" in a field: any
  krm::LabelSelector labels_;
  std::optional<std::string> owner_;
  std::vector<Field> fields_;
};

}  // namespace portico::registry
