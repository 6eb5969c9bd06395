#include "starlark/internal/table.h"

#include <algorithm>

#include "starlark/internal/eval_error.h"
#include "starlark/internal/object.h"
#include "starlark/internal/operators.h"

namespace portico::starlark::internal {

namespace {

constexpr std::size_t kLeastIndex = 8;
/// Probes without extra charge: more are only needed if many keys share one hash.
constexpr std::size_t kFreeProbes = 16;

}  // namespace

std::size_t Table::slot_of(Heap& heap, Value key, std::uint64_t hash) {
  const std::size_t mask = index_.size() - 1;
  std::size_t slot = hash & mask;
  for (std::size_t probes = 0; index_[slot] != 0; slot = (slot + 1) & mask) {
    if (++probes > kFreeProbes) pay(heap, 1);
    const Entry& entry = entries_[index_[slot] - 1];
    if (entry.hash == hash && !Access::is_unset(entry.key) && equal(heap, key, entry.key)) break;
  }
  return slot;
}

Value* Table::find(Heap& heap, Value key) {
  const std::uint64_t hash = hash_of(heap, key);
  if (live_ == 0) return nullptr;
  const std::size_t slot = slot_of(heap, key, hash);
  return index_[slot] == 0 ? nullptr : &entries_[index_[slot] - 1].value;
}

bool Table::set(Heap& heap, Value key, Value value) {
  const std::uint64_t hash = hash_of(heap, key);
  if (index_.size() < kLeastIndex || entries_.size() + 1 > index_.size() / 4 * 3) rebuild(heap);
  const std::size_t slot = slot_of(heap, key, hash);
  if (index_[slot] != 0) {
    entries_[index_[slot] - 1].value = value;
    return false;
  }
  entries_.push_back({key, value, hash});
  index_[slot] = static_cast<std::uint32_t>(entries_.size());
  ++live_;
  return true;
}

std::optional<Value> Table::remove(Heap& heap, Value key) {
  const std::uint64_t hash = hash_of(heap, key);
  if (live_ == 0) return std::nullopt;
  const std::size_t slot = slot_of(heap, key, hash);
  if (index_[slot] == 0) return std::nullopt;
  Entry& entry = entries_[index_[slot] - 1];
  entry.key = Access::unset();  // the index keeps the slot, so that probing continues past it
  --live_;
  return entry.value;
}

void Table::clear() {
  entries_.clear();
  std::fill(index_.begin(), index_.end(), 0);
  live_ = 0;
  first_ = 0;
}

const Table::Entry* Table::first() {
  while (first_ < entries_.size() && Access::is_unset(entries_[first_].key)) ++first_;
  return first_ < entries_.size() ? &entries_[first_] : nullptr;
}

void Table::rebuild(Heap& heap) {
  std::size_t size = kLeastIndex;
  while (live_ + 1 > size / 2) size *= 2;
  if (size > index_.size()) {
    const std::size_t grown = size - index_.size();
    require(heap, grown * (sizeof(Entry) + sizeof(std::uint32_t)));
    Access::charge(heap, grown * (sizeof(Entry) + sizeof(std::uint32_t)));
  }
  pay(heap, entries_.size() / 8);
  std::erase_if(entries_, [](const Entry& entry) { return Access::is_unset(entry.key); });
  entries_.reserve(size / 4 * 3);
  index_.assign(size, 0);
  first_ = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = entries_[i].hash & (size - 1);
    while (index_[slot] != 0) slot = (slot + 1) & (size - 1);
    index_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

}  // namespace portico::starlark::internal
