// The lists and maps that CEL itself creates.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cel/value.h"

namespace portico::cel::internal {

class VectorList final : public List {
 public:
  explicit VectorList(std::vector<Value> items) : items_(std::move(items)) {}
  std::size_t size() const override { return items_.size(); }
  Value at(std::size_t index) const override { return items_[index]; }

 private:
  std::vector<Value> items_;
};

/// a == b, with a fast path for the most common keys.
inline bool same_key(const Value& a, const Value& b) {
  if (a.is(Kind::kString) && b.is(Kind::kString)) return a.text() == b.text();
  return a == b;
}

/// Maps values to their index in a vector, with open addressing. Small vectors are searched
/// linearly, which is faster than hashing.
class ValueIndex {
 public:
  static constexpr std::size_t kLinear = 6;

  /// The index of `key` among the first `count` elements `at(i)`, or nullopt.
  template <class At>
  std::optional<std::size_t> find(const Value& key, std::size_t count, const At& at) const {
    if (slots_.empty()) {
      for (std::size_t i = 0; i < count; ++i)
        if (same_key(at(i), key)) return i;
      return std::nullopt;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash_of(key) & mask; slots_[slot] != 0; slot = (slot + 1) & mask)
      if (same_key(at(slots_[slot] - 1), key)) return slots_[slot] - 1;
    return std::nullopt;
  }

  /// Records in the index that `at(count - 1)` was added.
  template <class At>
  void added(std::size_t count, const At& at) {
    if (count <= kLinear) return;
    if (count * 2 <= slots_.size()) return place(count - 1, at);
    std::size_t size = 16;
    while (size < count * 4) size *= 2;
    slots_.assign(size, 0);
    for (std::size_t i = 0; i < count; ++i) place(i, at);
  }

 private:
  template <class At>
  void place(std::size_t i, const At& at) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(at(i)) & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<std::uint32_t> slots_;
};

/// Keeps its entries in insertion order.
class HashMap final : public Map {
 public:
  /// Returns false and changes nothing if the key exists.
  bool insert(Value key, Value value) {
    const auto at = [this](std::size_t i) -> const Value& { return entries_[i].first; };
    if (index_.find(key, entries_.size(), at)) return false;
    entries_.emplace_back(std::move(key), std::move(value));
    index_.added(entries_.size(), at);
    return true;
  }
  std::size_t size() const override { return entries_.size(); }
  std::optional<Value> find(const Value& key) const override {
    const auto place = index_.find(
        key, entries_.size(), [this](std::size_t i) -> const Value& { return entries_[i].first; });
    if (!place) return std::nullopt;
    return entries_[*place].second;
  }
  std::vector<Value> keys() const override {
    std::vector<Value> out;
    out.reserve(entries_.size());
    for (const auto& [key, value] : entries_) out.push_back(key);
    return out;
  }

 private:
  std::vector<std::pair<Value, Value>> entries_;
  ValueIndex index_;
};

/// Membership in constant lists, by hash.
class ValueSet {
 public:
  void insert(Value value) {
    const auto at = [this](std::size_t i) -> const Value& { return values_[i]; };
    if (index_.find(value, values_.size(), at)) return;
    values_.push_back(std::move(value));
    index_.added(values_.size(), at);
  }
  bool contains(const Value& value) const {
    return index_
        .find(value, values_.size(), [this](std::size_t i) -> const Value& { return values_[i]; })
        .has_value();
  }

 private:
  std::vector<Value> values_;
  ValueIndex index_;
};

}  // namespace portico::cel::internal
