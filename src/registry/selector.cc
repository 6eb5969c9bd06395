#include "registry/selector.h"

#include <algorithm>

namespace portico::registry {
namespace {

bool allows(const std::string& wanted, const std::string& value) {
  return wanted.empty() || wanted == value;
}

}  // namespace

Result<Selector> Selector::make(const Query& query, const std::vector<IndexedField>& fields) {
  Selector out;
  out.key_ = {query.type, query.ns, query.name};
  out.labels_ = query.labels;
  out.owner_ = query.owner;
  for (const FieldRequirement& each : query.fields) {
    const auto declared = std::find_if(fields.begin(), fields.end(), [&](const auto& field) {
      return field.type == query.type && field.name == each.name;
    });
    if (declared == fields.end())
      return invalid("{} has no selectable field \"{}\"",
                     query.type.kind.empty() ? "every kind" : query.type.kind, each.name)
          .because(Reason::kBadRequest);
    out.fields_.push_back({&*declared, each});
  }
  return out;
}

bool Selector::matches_key(const krm::ObjectKey& key) const {
  return (key_.type.kind.empty() || key_.type == key.type) && allows(key_.ns, key.ns) &&
         allows(key_.name, key.name);
}

bool Selector::matches_content(const json::Value& object) const {
  if (!labels_.matches_object(object)) return false;
  if (owner_) {
    const auto& owners = object["metadata"]["ownerReferences"].items();
    if (std::none_of(owners.begin(), owners.end(),
                     [&](const json::Value& each) { return each["uid"].as_string() == *owner_; }))
      return false;
  }
  return std::all_of(fields_.begin(), fields_.end(), [&](const Field& field) {
    const std::vector<std::string> values = index_values(*field.index, object);
    const bool has = std::binary_search(values.begin(), values.end(), field.wanted.value);
    return has == field.wanted.equal;
  });
}

bool Selector::concerns(const Event& event) const {
  if (every_content()) return true;
  return (!event.previous.is_null() && matches_content(event.previous)) ||
         (event.change != Change::kDeleted && matches_content(event.object));
}

std::optional<Event> Selector::see(const Event& event) const {
  if (every_content()) return event;
  const bool was = !event.previous.is_null() && matches_content(event.previous);
  const bool is = event.change != Change::kDeleted && matches_content(event.object);
  if (!was && !is) return std::nullopt;
  if (was == is || event.change != Change::kModified) return event;
  if (is) return Event{Change::kAdded, event.object, {}, event.version};
  const std::string version = std::to_string(event.version);
  return Event{Change::kDeleted, event.previous.with_at({"metadata", "resourceVersion"}, version),
               event.previous, event.version};
}

void Selector::drop_field(const FieldRequirement& met) {
  std::erase_if(fields_, [&](const Field& field) { return field.wanted == met; });
}

bool Selector::every_content() const {
  return labels_.requirements().empty() && !owner_ && fields_.empty();
}

}  // namespace portico::registry
