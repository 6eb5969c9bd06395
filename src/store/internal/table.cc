#include "store/internal/table.h"

#include <algorithm>
#include <optional>

namespace portico::store {

using registry::FieldRequirement;
using registry::IndexedField;
using registry::Query;
using registry::Selector;

namespace {

constexpr char kOwner[] = "owner";

std::string label_index(std::string_view key) { return "label " + std::string(key); }
std::string field_index(std::string_view name) { return "field " + std::string(name); }

}  // namespace

std::vector<Table::IndexKey> Table::index_keys(const krm::GroupKind& type,
                                               const json::Value& object) const {
  std::vector<IndexKey> keys;
  const json::Value& metadata = object["metadata"];
  for (const json::Member& label : metadata["labels"].members())
    keys.emplace_back(label_index(label.name()), label.value.as_string());
  for (const json::Value& owner : metadata["ownerReferences"].items())
    keys.emplace_back(kOwner, owner["uid"].as_string());
  for (const IndexedField& field : indexes_)
    if (field.type == type)
      for (std::string& value : index_values(field, object))
        keys.emplace_back(field_index(field.name), std::move(value));
  return keys;
}

const json::Value* Table::find(const krm::ObjectKey& key) const {
  const auto kind = kinds_.find(key.type);
  if (kind == kinds_.end()) return nullptr;
  const auto row = kind->second.rows.find(Name(key.ns, key.name));
  return row != kind->second.rows.end() ? &row->second : nullptr;
}

const std::string* Table::namespace_of_uid(const std::string& uid) const {
  const auto at = namespaces_by_uid_.find(uid);
  return at != namespaces_by_uid_.end() ? &at->second : nullptr;
}

std::vector<krm::ObjectKey> Table::dependents(const std::string& uid) const {
  std::vector<krm::ObjectKey> keys;
  for (const auto& [type, kind] : kinds_) {
    const auto posting = kind.postings.find(IndexKey(kOwner, uid));
    if (posting == kind.postings.end()) continue;
    for (const Row* row : posting->second)
      keys.push_back({type, row->first.first, row->first.second});
  }
  return keys;
}

Result<std::vector<json::Value>> Table::list(const Query& query) const {
  PORTICO_TRY(const Selector selector, Selector::make(query, indexes_));
  std::vector<json::Value> found;
  if (query.type.kind.empty()) {
    for (const auto& [type, kind] : kinds_) list(type, kind, query, selector, found);
  } else if (const auto kind = kinds_.find(query.type); kind != kinds_.end()) {
    list(query.type, kind->second, query, selector, found);
  }
  return found;
}

void Table::list(const krm::GroupKind& type, const Kind& kind, const Query& query,
                 const Selector& selector, std::vector<json::Value>& found) const {
  const Rows& rows = kind.rows;
  if (!query.name.empty() && !query.ns.empty()) {
    const auto row = rows.find(Name(query.ns, query.name));
    if (row != rows.end() && selector.matches_content(row->second)) found.push_back(row->second);
    return;
  }

  // Every equality of the query is a set of postings; an object must be in one of each set.
  std::vector<std::vector<IndexKey>> sets;
  if (query.owner) sets.push_back({IndexKey(kOwner, *query.owner)});
  for (const FieldRequirement& field : query.fields)
    if (field.equal) sets.push_back({IndexKey(field_index(field.name), field.value)});
  for (const auto& one : query.labels.requirements()) {
    if (one.op != krm::LabelSelector::Operator::kIn) continue;
    const std::set<std::string> values(one.values.begin(), one.values.end());
    auto& keys = sets.emplace_back();
    for (const std::string& value : values) keys.emplace_back(label_index(one.key), value);
  }

  std::optional<std::vector<const Posting*>> rarest;
  std::size_t fewest = 0;
  for (const std::vector<IndexKey>& keys : sets) {
    std::vector<const Posting*> postings;
    std::size_t size = 0;
    for (const IndexKey& key : keys) {
      const auto posting = kind.postings.find(key);
      if (posting == kind.postings.end()) continue;
      postings.push_back(&posting->second);
      size += posting->second.size();
    }
    if (rarest && size >= fewest) continue;
    rarest = std::move(postings);
    fewest = size;
  }

  const auto add = [&](const Row* row) {
    if (selector.matches_key({type, row->first.first, row->first.second}) &&
        selector.matches_content(row->second))
      found.push_back(row->second);
  };
  if (!rarest) {
    for (auto row = rows.lower_bound(Name(query.ns, "")); row != rows.end(); ++row) {
      if (!query.ns.empty() && row->first.first != query.ns) break;
      add(&*row);
    }
    return;
  }
  const std::size_t begin = found.size();
  for (const Posting* posting : *rarest) {
    for (auto at = posting->lower_bound(Name(query.ns, "")); at != posting->end(); ++at) {
      if (!query.ns.empty() && (*at)->first.first != query.ns) break;
      add(*at);
    }
  }
  if (rarest->size() > 1) {
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end(),
              [](const json::Value& a, const json::Value& b) {
                return std::pair(krm::namespace_of(a), krm::name_of(a)) <
                       std::pair(krm::namespace_of(b), krm::name_of(b));
              });
  }
}

std::vector<krm::GroupKind> Table::kinds() const {
  std::vector<krm::GroupKind> out;
  for (const auto& [type, kind] : kinds_)
    if (!kind.rows.empty()) out.push_back(type);
  return out;
}

json::Value Table::put(const krm::ObjectKey& key, json::Value object) {
  Kind& kind = kinds_[key.type];
  const auto [row, added] = kind.rows.try_emplace(Name(key.ns, key.name));
  json::Value before = std::exchange(row->second, std::move(object));
  const std::vector<IndexKey> now = index_keys(key.type, row->second);
  const std::vector<IndexKey> then = added ? std::vector<IndexKey>() : index_keys(key.type, before);
  if (now != then) {
    for (const IndexKey& one : then) {
      const auto posting = kind.postings.find(one);
      if (posting == kind.postings.end()) continue;  // named twice by the object
      posting->second.erase(&*row);
      if (posting->second.empty()) kind.postings.erase(posting);
    }
    for (const IndexKey& one : now) kind.postings[one].insert(&*row);
  }
  if (added) namespaces_by_uid_[std::string(krm::uid_of(row->second))] = key.ns;
  return before;
}

json::Value Table::erase(const krm::ObjectKey& key) {
  const auto kind = kinds_.find(key.type);
  if (kind == kinds_.end()) return {};
  const auto row = kind->second.rows.find(Name(key.ns, key.name));
  if (row == kind->second.rows.end()) return {};
  for (const IndexKey& one : index_keys(key.type, row->second)) {
    const auto posting = kind->second.postings.find(one);
    if (posting == kind->second.postings.end()) continue;
    posting->second.erase(&*row);
    if (posting->second.empty()) kind->second.postings.erase(posting);
  }
  namespaces_by_uid_.erase(std::string(krm::uid_of(row->second)));
  json::Value before = std::move(row->second);
  kind->second.rows.erase(row);
  return before;
}

}  // namespace portico::store
