// The objects of the store in memory, with the indexes that lists and garbage collection use.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"
#include "registry/selector.h"

namespace portico::store {

/// Not synchronised: whoever holds it does that.
class Table {
 public:
  explicit Table(std::vector<registry::IndexedField> indexes) : indexes_(std::move(indexes)) {}

  const json::Value* find(const krm::ObjectKey& key) const;
  /// The namespace of the object with that uid; nullptr where there is none.
  const std::string* namespace_of_uid(const std::string& uid) const;
  /// The objects that name `uid` in their ownerReferences.
  std::vector<krm::ObjectKey> dependents(const std::string& uid) const;
  /// By kind, namespace and name. kInvalid where the query names a field that is not declared.
  /// Equality of a label, an owner and a field cost O(result of the rarest of them).
  Result<std::vector<json::Value>> list(const registry::Query& query) const;

  const std::vector<registry::IndexedField>& fields() const { return indexes_; }

  /// The kinds of which there is an object, sorted.
  std::vector<krm::GroupKind> kinds() const;

  /// Adds the object or replaces the one of its key; hands back the one that was there (or null),
  /// so that the caller chooses where it is destroyed.
  json::Value put(const krm::ObjectKey& key, json::Value object);
  json::Value erase(const krm::ObjectKey& key);

 private:
  using Name = std::pair<std::string, std::string>;  // namespace, name
  using Rows = std::map<Name, json::Value>;
  using Row = Rows::value_type;
  struct ByName {
    using is_transparent = void;
    bool operator()(const Row* a, const Row* b) const { return a->first < b->first; }
    bool operator()(const Row* a, const Name& b) const { return a->first < b; }
    bool operator()(const Name& a, const Row* b) const { return a < b->first; }
  };
  using Posting = std::set<const Row*, ByName>;
  using IndexKey = std::pair<std::string, std::string>;  // "label app" or the like, value
  struct Kind {
    Rows rows;
    std::map<IndexKey, Posting> postings;
  };

  std::vector<IndexKey> index_keys(const krm::GroupKind& type, const json::Value& object) const;
  void list(const krm::GroupKind& type, const Kind& kind, const registry::Query& query,
            const registry::Selector& selector, std::vector<json::Value>& found) const;

  std::vector<registry::IndexedField> indexes_;
  std::map<krm::GroupKind, Kind> kinds_;
  std::map<std::string, std::string> namespaces_by_uid_;
};

}  // namespace portico::store
