// Whether an object is one of those that a query is about. Pure.
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
  /// `fields`: what is declared; they must outlive the Selector. kInvalid where the query names
  /// another one.
  static Result<Selector> make(const Query& query, const std::vector<IndexedField>& fields);

  bool matches(const json::Value& object) const {
    return matches_key(krm::object_key(object)) && matches_content(object);
  }
  /// Kind, namespace and name, which an object never changes.
  bool matches_key(const krm::ObjectKey& key) const;
  /// Labels, owner and fields.
  bool matches_content(const json::Value& object) const;
  /// What a watch of these objects makes of an event: as it is, as an addition or a deletion where
  /// the object came to match or no longer does, or nothing. The object's key matches.
  std::optional<Event> see(const Event& event) const;
  /// Whether that is anything.
  bool concerns(const Event& event) const;
  /// Whether matches_content is true of everything.
  bool every_content() const;

  /// What is left to be asked of objects that are known to meet some of it.
  void drop_labels() { labels_ = {}; }
  void drop_owner() { owner_.reset(); }
  void drop_field(const FieldRequirement& met);

 private:
  struct Field {
    const IndexedField* index = nullptr;
    FieldRequirement wanted;
  };

  krm::ObjectKey key_;  // "" in a place: any
  krm::LabelSelector labels_;
  std::optional<std::string> owner_;
  std::vector<Field> fields_;
};

}  // namespace portico::registry
