#include "cluster/internal/copy.h"

#include <utility>

#include "cluster/internal/version.h"
#include "json/share.h"

namespace portico::cluster {

using json::Value;
using registry::Change;

namespace {

std::string version_text(const Value& object) {
  return std::string(object["metadata"]["resourceVersion"].as_string());
}

Value with_version(const Value& object, std::string_view version) {
  return object.with_at({"metadata", "resourceVersion"}, version);
}

bool same_but_version(const Value& a, const Value& b) {
  return a == b || with_version(a, "") == with_version(b, "");
}

}  // namespace

Value kept_form(const Value& object, const Value* known) {
  Value out = object.without_at({"metadata", "managedFields"});
  return known != nullptr ? json::share(out, *known) : out;
}

Value metadata_form(const Value& object) {
  if (object.contains("contentVersion")) return object;
  const Value& metadata = object["metadata"];
  const std::int64_t generation = metadata["generation"].as_int();
  return Value::object({{"apiVersion", object["apiVersion"]},
                        {"kind", object["kind"]},
                        {"metadata", metadata},
                        {"contentVersion", generation > 0 ? Value(std::to_string(generation))
                                                          : metadata["resourceVersion"]}});
}

Copy::Copy(std::vector<registry::IndexedField> indexes, std::size_t window)
    : window_(window), state_{registry::Table(std::move(indexes)), {}, 0} {}

bool Copy::is_older(const krm::ObjectKey& key, std::string_view uid, std::string_view version) {
  if (!uid.empty() && gone_.find(std::string(uid))) return true;
  const auto own = own_.find(key);
  if (own == own_.end()) return false;
  if (is_older_version(version, own->second)) return true;
  own_.erase(own);
  return false;
}

void Copy::observed(const krm::ObjectKey& key, const Value& object, std::string_view version) {
  if (is_older(key, krm::uid_of(object), version)) return;
  put(key, object);
}

void Copy::observed_gone(const krm::ObjectKey& key, const Value& last, std::string_view version) {
  const auto own = own_.find(key);
  if (own != own_.end() && is_older_version(version, own->second)) return;
  // The deleted object has already been replaced by another one of the same name.
  const Value* const now = state_.table.find(key);
  if (now != nullptr && krm::uid_of(*now) != krm::uid_of(last)) return;
  own_.erase(key);
  erase(key, last);
}

bool Copy::wrote(const krm::ObjectKey& key, const Value& object, registry::ResourceVersion since) {
  if (gone_.find(std::string(krm::uid_of(object)))) return true;
  const Value* const now = state_.table.find(key);
  const std::string version = version_text(object);
  if (is_ordered_version(version)) {
    // The watch reported it before the response arrived.
    if (now != nullptr &&
        (is_older_version(version, version_text(*now)) || version == version_text(*now)))
      return true;
    own_[key] = version;
  } else if (has_changed(key, since)) {
    return now != nullptr && same_but_version(*now, object);
  }
  put(key, object);
  return true;
}

bool Copy::wrote_status(const krm::ObjectKey& key, const Value& object, const Value& sent,
                        registry::ResourceVersion since) {
  if (object["status"] == sent) {
    // Either everything was kept, or nothing was sent because the status shown is the same.
    const auto at = cut_.find(key);
    if (at != cut_.end() && (at->second.sent != sent || at->second.uid != krm::uid_of(object)))
      cut_.erase(at);
    return wrote(key, object, since);
  }
  cut_[key] = {std::string(krm::uid_of(object)), object["status"], sent};
  const bool certain = wrote(key, object, since);
  // If the watch was faster, it has reported the truncated status.
  if (const Value* const now = state_.table.find(key)) put(key, Value(*now));
  return certain;
}

void Copy::wrote_gone(const krm::ObjectKey& key, const Value& last,
                      registry::ResourceVersion since) {
  const Value* const now = state_.table.find(key);
  if (now == nullptr || krm::uid_of(*now) != krm::uid_of(last)) return;
  if (!is_ordered_version(version_text(*now)) && has_changed(key, since)) return;
  erase(key, last);
}

Value Copy::as_sent(const krm::ObjectKey& key, const Value& object) {
  const auto at = cut_.find(key);
  if (at == cut_.end()) return object;
  const Cut& cut = at->second;
  if (cut.uid == krm::uid_of(object)) {
    if (object["status"] == cut.kept) return object.with("status", cut.sent);
    if (object["status"] == cut.sent) return object;
  }
  cut_.erase(at);
  return object;
}

void Copy::put(const krm::ObjectKey& key, const Value& observed) {
  const Value object = kept_form(as_sent(key, observed), state_.table.find(key));
  Value previous = state_.table.put(key, object);
  if (!previous.is_null() && same_but_version(previous, object)) return;
  const Change change = previous.is_null() ? Change::kAdded : Change::kModified;
  append({change, object, std::move(previous), state_.version() + 1}, key);
}

void Copy::erase(const krm::ObjectKey& key, const Value& last) {
  const std::string_view uid = krm::uid_of(last);
  if (!uid.empty() && is_ordered_version(version_text(last)))
    gone_.add(std::string(uid), std::make_shared<const bool>(true), 1);
  cut_.erase(key);
  Value previous = state_.table.erase(key);
  if (previous.is_null()) return;
  Value object = kept_form(last, &previous);
  append({Change::kDeleted, std::move(object), std::move(previous), state_.version() + 1}, key);
}

bool Copy::has_changed(const krm::ObjectKey& key, registry::ResourceVersion since) const {
  if (since < forgotten_) return true;
  const auto last = changed_.find(key);
  return last != changed_.end() && last->second > since;
}

void Copy::note_change(const krm::ObjectKey& key, registry::ResourceVersion version) {
  if (changed_.size() >= kChanged) {
    forgotten_ = version - kChanged / 2;
    std::erase_if(changed_, [&](const auto& each) { return each.second <= forgotten_; });
  }
  changed_.insert_or_assign(key, version);
}

void Copy::append(registry::Event event, const krm::ObjectKey& key) {
  if (!is_ordered_version(version_text(event.object))) note_change(key, event.version);
  state_.append(std::move(event), key);
  if (state_.window.size() > window_) state_.forget(state_.window.size() - window_);
}

}  // namespace portico::cluster
