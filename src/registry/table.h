// The objects of the store in memory, with the indexes for lists and garbage collection.
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/persistent_map.h"
#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"
#include "registry/selector.h"

namespace portico::registry {

/// A value type: copying is cheap, and a copy does not see later changes to the original.
class Table {
 public:
  explicit Table(std::vector<IndexedField> indexes)
      : indexes_(std::make_shared<const std::vector<IndexedField>>(std::move(indexes))) {}

  const json::Value* find(const krm::ObjectKey& key) const;
  std::optional<krm::ObjectKey> key_of_uid(std::string_view uid) const;
  /// The objects that name `uid` in their ownerReferences.
  std::vector<krm::ObjectKey> dependents(const std::string& uid) const;

  /// Visits the objects that match `query` (`selector` is made from it) by kind, namespace and
  /// name, starting after the key `after` (null: all), until `visit` returns false. Equality of a
  /// label, an owner and a field cost O(result of the rarest of them).
  struct Item {
    const krm::GroupKind& type;
    const std::string& ns;
    const std::string& name;
    const json::Value& object;
  };
  using Visit = std::function<bool(const Item&)>;
  void each(const Query& query, const Selector& selector, const krm::ObjectKey* after,
            const Visit& visit) const;
  /// How many objects of the query's kind and namespace come after the key.
  std::size_t count_after(const Query& query, const krm::ObjectKey& after) const;

  /// Shared by all copies.
  const std::shared_ptr<const std::vector<IndexedField>>& fields() const { return indexes_; }
  /// The kinds that have objects, sorted.
  std::vector<krm::GroupKind> kinds() const;

  /// Adds or replaces the object with that key; returns the previous one (or null).
  json::Value put(const krm::ObjectKey& key, json::Value object);
  json::Value erase(const krm::ObjectKey& key);

 private:
  // Keys are allocated once and shared by rows, postings and all copies.
  struct Name {
    std::string ns, name;
    std::tuple<std::string_view, std::string_view> view() const { return {ns, name}; }
  };
  struct IndexKey {
    std::string index, value;  // "label app" or the like
    std::tuple<std::string_view, std::string_view> view() const { return {index, value}; }
    bool operator==(const IndexKey&) const = default;
  };
  using View = std::tuple<std::string_view, std::string_view>;
  template <class T>
  struct ByView {
    using is_transparent = void;
    static View view(const std::shared_ptr<const T>& key) { return key->view(); }
    static View view(const View& key) { return key; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return view(a) < view(b);
    }
  };
  struct ByType {
    using is_transparent = void;
    static const krm::GroupKind& type(const std::shared_ptr<const krm::GroupKind>& key) {
      return *key;
    }
    static const krm::GroupKind& type(const krm::GroupKind& key) { return key; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return type(a) < type(b);
    }
  };
  struct ByText {
    using is_transparent = void;
    static std::string_view text(const json::Value& key) { return key.as_string(); }
    static std::string_view text(std::string_view key) { return key; }
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return text(a) < text(b);
    }
  };
  struct Nothing {};

  using TypeRef = std::shared_ptr<const krm::GroupKind>;
  using NameRef = std::shared_ptr<const Name>;
  using Rows = PersistentMap<NameRef, json::Value, ByView<Name>>;
  using Posting = PersistentMap<NameRef, Nothing, ByView<Name>>;
  using Postings = PersistentMap<std::shared_ptr<const IndexKey>, Posting, ByView<IndexKey>>;
  struct Kind {
    Rows rows;
    Postings postings;
  };
  struct Place {
    TypeRef type;
    NameRef name;
  };

  std::vector<IndexKey> index_keys(const krm::GroupKind& type, const json::Value& object) const;
  /// Index entries of which every match has at least one: those of the rarest requirement.
  struct Choice {
    std::vector<IndexKey> keys;
    std::vector<const Posting*> postings{};
    std::size_t size = 0;
  };
  static std::optional<Choice> choose(const Kind& kind, const Query& query, Selector& rest);
  static bool each_of(const krm::GroupKind& type, const Kind& kind, const Query& query,
                      const Selector& selector, const View& from, const Visit& visit);
  static void post(Kind& kind, const IndexKey& key, const NameRef& name);
  static void unpost(Kind& kind, const IndexKey& key, const NameRef& name);
  /// After a change to an object of the kind: updates whether the kind has dependents of these
  /// owners.
  void note_owners(const std::vector<IndexKey>& keys, const TypeRef& type, const Kind& kind);

  std::shared_ptr<const std::vector<IndexedField>> indexes_;
  PersistentMap<TypeRef, Kind, ByType> kinds_;
  PersistentMap<json::Value, Place, ByText> by_uid_;
  /// By owner uid: the kinds of its dependents, sorted. There may be hundreds of kinds, while a
  /// deleted object has dependents of one or two.
  PersistentMap<std::string, std::vector<TypeRef>> dependent_kinds_;
};

}  // namespace portico::registry
