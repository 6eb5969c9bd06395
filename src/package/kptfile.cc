#include "package/kptfile.h"

#include <algorithm>
#include <optional>

namespace portico::package {

namespace {

krm::Path below(krm::Path path, krm::Step step) {
  path.push_back(std::move(step));
  return path;
}

bool is_empty_value(const json::Value& value) {
  return value.is_null() || (value.is_string() && value.as_string().empty());
}

}  // namespace

Result<krm::Object> kptfile_of(const krm::Package& package) {
  const krm::File* file = package.find(kKptfile);
  if (file == nullptr) return not_found("the package has no Kptfile");
  PORTICO_TRY(krm::Object kptfile, file->object(), std::string(kKptfile));
  if (!kptfile.value().is_object())
    return invalid("must be a map with kind Kptfile").in(std::string(kKptfile));
  return kptfile;
}

void put_kptfile(krm::Package& package, const krm::Object& kptfile) {
  const krm::File* before = package.find(kKptfile);
  if (before == nullptr || before->text() != kptfile.text())
    package.set(std::string(kKptfile), kptfile.text());
}

json::Value value_at(const krm::Object& object, const krm::Path& path) {
  json::Value value = object.value();
  for (const krm::Step& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      value = json::Value(value[*name]);
    } else {
      value = json::Value(value[std::get<std::size_t>(step)]);
    }
  }
  return value;
}

Result<Done> set_members(krm::Object& object, const krm::Path& path, const Members& members) {
  for (const auto& [name, value] : members) {
    const krm::Path at = below(path, name);
    if (is_empty_value(value)) {
      PORTICO_DO(object.remove(at));
    } else if (value_at(object, at) != value) {
      PORTICO_DO(object.set(at, value));
    }
  }
  return Done{};
}

Result<Done> set_map(krm::Object& object, const krm::Path& path, const api::StringMap& wanted) {
  const json::Value have = value_at(object, path);
  for (const json::Member& member : have.members())
    if (!wanted.contains(std::string(member.name())))
      PORTICO_DO(object.remove(below(path, std::string(member.name()))));
  for (const auto& [key, value] : wanted) {
    const json::Value* before = have.find(key);
    if (before == nullptr || *before != json::Value(value))
      PORTICO_DO(object.set(below(path, key), json::Value(value)));
  }
  return remove_if_empty(object, path);
}

Result<Done> remove_if_empty(krm::Object& object, const krm::Path& path) {
  const json::Value have = value_at(object, path);
  if ((have.is_object() || have.is_array()) && have.empty()) return object.remove(path);
  return Done{};
}

Result<Done> insert_item(krm::Object& object, const krm::Path& list, std::size_t index,
                         const Members& item) {
  // To write the members in the order of `item`, builds a separate document and copies from it.
  std::optional<krm::Object> holder;
  for (const auto& [name, value] : item) {
    if (is_empty_value(value)) continue;
    if (!holder) {
      holder = krm::Object::from_value(json::Value::object({{json::Value(name), value}}));
    } else {
      PORTICO_DO(holder->set({name}, value));
    }
  }
  if (!holder) return internal("an item without members");
  krm::Edit edit;
  edit.path = below(list, index);
  edit.verb =
      index < value_at(object, list).size() ? krm::Edit::Verb::kInsert : krm::Edit::Verb::kSet;
  edit.from = &*holder;
  return object.edit({edit});
}

Result<Done> sync_list(krm::Object& object, const krm::Path& path, const std::string& key,
                       const std::vector<Members>& wanted) {
  const auto key_of = [&](const Members& item) {
    const auto at = std::find_if(item.begin(), item.end(),
                                 [&](const auto& member) { return member.first == key; });
    return at == item.end() ? json::Value() : at->second;
  };
  const auto is_wanted = [&](const json::Value& item) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const Members& one) { return key_of(one) == item[key]; });
  };
  for (const Members& item : wanted) {
    const json::Value have = value_at(object, path);
    std::size_t at = 0;
    while (at < have.size() && have[at][key] != key_of(item)) ++at;
    if (at < have.size()) {
      PORTICO_DO(set_members(object, below(path, at), item));
    } else {
      PORTICO_DO(insert_item(object, path, at, item));
    }
  }
  const json::Value all = value_at(object, path);
  for (std::size_t i = all.size(); i-- > 0;)
    if (!is_wanted(all[i])) PORTICO_DO(object.remove(below(path, i)));
  return remove_if_empty(object, path);
}

}  // namespace portico::package
