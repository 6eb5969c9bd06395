#include "registry/table.h"

#include <algorithm>
#include <optional>
#include <set>

namespace portico::registry {
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
  const std::vector<TypeRef>* const types = dependent_kinds_.find(uid);
  if (types == nullptr) return keys;
  for (const TypeRef& type : *types)
    for (auto at = kinds_.find(*type)->postings.find(View(kOwner, uid))->begin(); at; ++at)
      keys.push_back({*type, at->key->ns, at->key->name});
  return keys;
}

void Table::each(const Query& query, const Selector& selector, const krm::ObjectKey* after,
                 const Visit& visit) const {
  // The first possible name after `after`, as a string that sorts there.
  const std::string first = after != nullptr ? after->name + '\0' : "";
  const auto each_from = [&](const krm::GroupKind& type, const Kind& kind) {
    View from(query.ns, "");
    if (after != nullptr && after->type == type) from = std::max(from, View(after->ns, first));
    return each_of(type, kind, query, selector, from, visit);
  };
  if (!query.type.kind.empty()) {
    const Kind* kind = kinds_.find(query.type);
    if (kind != nullptr && (after == nullptr || after->type <= query.type))
      each_from(query.type, *kind);
    return;
  }
  auto kind = after != nullptr ? kinds_.lower_bound(after->type) : kinds_.begin();
  for (; kind; ++kind)
    if (!each_from(*kind->key, kind->value)) return;
}

std::optional<Table::Choice> Table::choose(const Kind& kind, const Query& query, Selector& rest) {
  std::vector<Choice> choices;
  std::vector<std::function<void()>> met;  // removes the chosen requirement from `rest`
  if (query.owner) {
    choices.push_back({{{kOwner, *query.owner}}});
    met.emplace_back([&] { rest.drop_owner(); });
  }
  for (const FieldRequirement& field : query.fields) {
    if (!field.equal) continue;
    choices.push_back({{{field_index(field.name), field.value}}});
    met.emplace_back([&] { rest.drop_field(field); });
  }
  for (const auto& one : query.labels.requirements()) {
    if (one.op != krm::LabelSelector::Operator::kIn) continue;
    const std::set<std::string> values(one.values.begin(), one.values.end());
    Choice& choice = choices.emplace_back();
    for (const std::string& value : values) choice.keys.push_back({label_index(one.key), value});
    met.emplace_back([&] {
      if (query.labels.requirements().size() == 1) rest.drop_labels();
    });
  }
  if (choices.empty()) return std::nullopt;
  for (Choice& choice : choices) {
    for (const IndexKey& key : choice.keys) {
      const Posting* posting = kind.postings.find(key.view());
      if (posting == nullptr) continue;
      choice.postings.push_back(posting);
      choice.size += posting->size();
    }
  }
  const auto rarest =
      std::min_element(choices.begin(), choices.end(),
                       [](const Choice& a, const Choice& b) { return a.size < b.size; });
  met[static_cast<std::size_t>(rarest - choices.begin())]();
  return std::move(*rarest);
}

bool Table::each_of(const krm::GroupKind& type, const Kind& kind, const Query& query,
                    const Selector& selector, const View& from, const Visit& visit) {
  Selector rest = selector;
  const auto choice = choose(kind, query, rest);
  const bool all = rest.every_content();
  const auto here = [&](const Name& name) { return query.ns.empty() || query.ns == name.ns; };
  const auto visit_one = [&](const Name& name, const json::Value& object) {
    if (!query.name.empty() && query.name != name.name) return true;
    if (!all && !rest.matches_content(object)) return true;
    return visit({type, name.ns, name.name, object});
  };

  if (!choice) {
    for (auto row = kind.rows.lower_bound(from); row && here(*row->key); ++row)
      if (!visit_one(*row->key, row->value)) return false;
    return true;
  }
  const auto visit_names = [&](auto names) {
    auto row = kind.rows.begin();
    for (; names && here(*names->key); ++names) {
      row.seek(names->key);
      if (!visit_one(*row->key, row->value)) return false;
      ++row;
    }
    return true;
  };
  if (choice->postings.size() == 1) return visit_names(choice->postings[0]->lower_bound(from));
  Posting both;  // an object can have several values for one field
  for (const Posting* posting : choice->postings)
    for (auto name = posting->lower_bound(from); name && here(*name->key); ++name)
      both.edit(name->key);
  return visit_names(both.begin());
}

std::size_t Table::count_after(const Query& query, const krm::ObjectKey& after) const {
  const std::string first = after.name + '\0', past_ns = query.ns + '\0';
  std::size_t count = 0;
  const auto add = [&](const krm::GroupKind& type, const Kind& kind) {
    View from(query.ns, "");
    if (after.type == type) from = std::max(from, View(after.ns, first));
    const std::size_t end = query.ns.empty() ? kind.rows.size() : kind.rows.rank(View(past_ns, ""));
    count += end - std::min(end, kind.rows.rank(from));
  };
  if (!query.type.kind.empty()) {
    const Kind* kind = kinds_.find(query.type);
    if (kind != nullptr && after.type <= query.type) add(query.type, *kind);
    return count;
  }
  for (auto kind = kinds_.lower_bound(after.type); kind; ++kind) add(*kind->key, kind->value);
  return count;
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
  if (posting == nullptr) return;  // the object has the entry twice
  if (posting->size() == 1 && posting->find(name) != nullptr) {
    kind.postings.erase(key.view());
  } else {
    kind.postings.edit(key.view(), [&] { return nullptr; }).first->erase(name);
  }
}

void Table::note_owners(const std::vector<IndexKey>& keys, const TypeRef& type, const Kind& kind) {
  for (const IndexKey& key : keys) {
    if (key.index != kOwner) continue;
    const bool has_any = kind.postings.find(key.view()) != nullptr;
    const std::vector<TypeRef>* const known = dependent_kinds_.find(key.value);
    std::vector<TypeRef> types = known != nullptr ? *known : std::vector<TypeRef>();
    const auto at = std::lower_bound(types.begin(), types.end(), type, ByType());
    const bool is_known = at != types.end() && **at == *type;
    if (has_any == is_known) continue;
    if (has_any)
      types.insert(at, type);
    else
      types.erase(at);
    if (types.empty())
      dependent_kinds_.erase(key.value);
    else
      *dependent_kinds_.edit(key.value).first = std::move(types);
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
    const TypeRef type = kinds_.lower_bound(key.type)->key;
    note_owners(then, type, kind);
    note_owners(now, type, kind);
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
  const std::vector<IndexKey> keys = index_keys(key.type, before);
  for (const IndexKey& one : keys) unpost(kind, one, name);
  note_owners(keys, kinds_.lower_bound(key.type)->key, kind);
  kind.rows.erase(view);
  by_uid_.erase(krm::uid_of(before));
  return before;
}

}  // namespace portico::registry
