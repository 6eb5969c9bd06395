#include "store/internal/table.h"

#include <algorithm>
#include <optional>
#include <set>

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
    keys.push_back({label_index(label.name()), std::string(label.value.as_string())});
  for (const json::Value& owner : metadata["ownerReferences"].items())
    keys.push_back({kOwner, std::string(owner["uid"].as_string())});
  for (const IndexedField& field : *indexes_)
    if (field.type == type)
      for (std::string& value : index_values(field, object))
        keys.push_back({field_index(field.name), std::move(value)});
  return keys;
}

const json::Value* Table::find(const krm::ObjectKey& key) const {
  const Kind* kind = kinds_.find(key.type);
  return kind != nullptr ? kind->rows.find(View(key.ns, key.name)) : nullptr;
}

std::optional<krm::ObjectKey> Table::key_of_uid(std::string_view uid) const {
  const Place* place = by_uid_.find(uid);
  if (place == nullptr) return std::nullopt;
  return krm::ObjectKey{*place->type, place->name->ns, place->name->name};
}

std::vector<krm::ObjectKey> Table::dependents(const std::string& uid) const {
  std::vector<krm::ObjectKey> keys;
  for (auto kind = kinds_.begin(); kind; ++kind) {
    const Posting* posting = kind->value.postings.find(View(kOwner, uid));
    if (posting == nullptr) continue;
    for (auto at = posting->begin(); at; ++at)
      keys.push_back({*kind->key, at->key->ns, at->key->name});
  }
  return keys;
}

Result<std::vector<json::Value>> Table::list(const Query& query) const {
  PORTICO_TRY(const Selector selector, Selector::make(query, *indexes_));
  std::vector<json::Value> found;
  if (query.type.kind.empty()) {
    for (auto kind = kinds_.begin(); kind; ++kind) list(kind->value, query, selector, found);
  } else if (const Kind* kind = kinds_.find(query.type)) {
    list(*kind, query, selector, found);
  }
  return found;
}

void Table::list(const Kind& kind, const Query& query, const Selector& selector,
                 std::vector<json::Value>& found) const {
  if (!query.name.empty() && !query.ns.empty()) {
    const json::Value* object = kind.rows.find(View(query.ns, query.name));
    if (object != nullptr && selector.matches_content(*object)) found.push_back(*object);
    return;
  }

  // Every equality of the query is a set of postings; an object must be in one of each set. What
  // the rarest of them leaves is looked at.
  struct Choice {
    std::vector<IndexKey> keys;
    const FieldRequirement* field = nullptr;
    bool only_label = false;
  };
  std::vector<Choice> sets;
  if (query.owner) sets.push_back({{{kOwner, *query.owner}}});
  for (const FieldRequirement& field : query.fields)
    if (field.equal) sets.push_back({{{field_index(field.name), field.value}}, &field});
  for (const auto& one : query.labels.requirements()) {
    if (one.op != krm::LabelSelector::Operator::kIn) continue;
    const std::set<std::string> values(one.values.begin(), one.values.end());
    auto& [keys, field, only_label] = sets.emplace_back();
    only_label = query.labels.requirements().size() == 1;
    for (const std::string& value : values) keys.push_back({label_index(one.key), value});
  }

  std::optional<std::vector<const Posting*>> rarest;
  std::size_t fewest = 0;
  const Choice* chosen = nullptr;
  for (const Choice& choice : sets) {
    std::vector<const Posting*> postings;
    std::size_t size = 0;
    for (const IndexKey& key : choice.keys) {
      const Posting* posting = kind.postings.find(key.view());
      if (posting == nullptr) continue;
      postings.push_back(posting);
      size += posting->size();
    }
    if (rarest && size >= fewest) continue;
    rarest = std::move(postings);
    fewest = size;
    chosen = &choice;
  }

  Selector rest = selector;
  if (chosen != nullptr && chosen->field != nullptr) rest.drop_field(*chosen->field);
  if (chosen != nullptr && chosen->keys.front().index == kOwner) rest.drop_owner();
  if (chosen != nullptr && chosen->only_label) rest.drop_labels();
  const bool all = rest.every_content();
  const auto add = [&](const Name& name, const json::Value& object) {
    if (!query.name.empty() && query.name != name.name) return;
    if (all || rest.matches_content(object)) found.push_back(object);
  };
  const View from(query.ns, "");
  if (!rarest) {
    for (auto row = kind.rows.lower_bound(from); row; ++row) {
      if (!query.ns.empty() && row->key->ns != query.ns) break;
      add(*row->key, row->value);
    }
    return;
  }
  const std::size_t begin = found.size();
  for (const Posting* posting : *rarest) {
    auto row = kind.rows.begin();
    for (auto at = posting->lower_bound(from); at; ++at) {
      if (!query.ns.empty() && at->key->ns != query.ns) break;
      row.seek(at->key);
      add(*row->key, row->value);
      ++row;
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
  for (auto kind = kinds_.begin(); kind; ++kind)
    if (!kind->value.rows.empty()) out.push_back(*kind->key);
  return out;
}

void Table::post(Kind& kind, const IndexKey& key, const NameRef& name) {
  const auto make = [&] { return std::make_shared<const IndexKey>(key); };
  kind.postings.edit(key.view(), make).first->edit(name);
}

void Table::unpost(Kind& kind, const IndexKey& key, const NameRef& name) {
  const Posting* posting = kind.postings.find(key.view());
  if (posting == nullptr) return;  // named twice by the object
  if (posting->size() == 1 && posting->find(name) != nullptr) {
    kind.postings.erase(key.view());
  } else {
    kind.postings.edit(key.view(), [&] { return nullptr; }).first->erase(name);
  }
}

json::Value Table::put(const krm::ObjectKey& key, json::Value object) {
  const std::vector<IndexKey> now = index_keys(key.type, object);
  Kind& kind =
      *kinds_.edit(key.type, [&] { return std::make_shared<const krm::GroupKind>(key.type); })
           .first;
  const View view(key.ns, key.name);
  const auto make = [&] { return std::make_shared<const Name>(Name{key.ns, key.name}); };
  const auto [row, added] = kind.rows.edit(view, make);
  json::Value before = std::exchange(*row, object);
  const std::vector<IndexKey> then = added ? std::vector<IndexKey>() : index_keys(key.type, before);
  const NameRef name = kind.rows.lower_bound(view)->key;
  if (now != then) {
    for (const IndexKey& one : then) unpost(kind, one, name);
    for (const IndexKey& one : now) post(kind, one, name);
  }
  if (added)
    *by_uid_.edit(object["metadata"]["uid"]).first = {kinds_.lower_bound(key.type)->key, name};
  return before;
}

json::Value Table::erase(const krm::ObjectKey& key) {
  const json::Value* stored = find(key);
  if (stored == nullptr) return {};
  json::Value before = *stored;
  Kind& kind = *kinds_.edit(key.type, [] { return nullptr; }).first;
  const View view(key.ns, key.name);
  const NameRef name = kind.rows.lower_bound(view)->key;
  for (const IndexKey& one : index_keys(key.type, before)) unpost(kind, one, name);
  kind.rows.erase(view);
  by_uid_.erase(krm::uid_of(before));
  return before;
}

}  // namespace portico::store
