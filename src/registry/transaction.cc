#include "registry/transaction.h"

#include <algorithm>
#include <utility>

#include "json/text.h"
#include "krm/meta.h"
#include "registry/no_object.h"

namespace portico::registry {

Transaction::Transaction(const Table& table, ResourceVersion version, Stamp stamp,
                         WriteLimits limits)
    : table_(table), version_(version), stamp_(std::move(stamp)), limits_(limits) {}

const json::Value* Transaction::find(const krm::ObjectKey& key) const {
  const auto changed = changed_.find(key);
  if (changed == changed_.end()) return table_.find(key);
  return changed->second.is_null() ? nullptr : &changed->second;
}

void Transaction::remember(const krm::ObjectKey& key, const json::Value& before,
                           json::Value after) {
  if (after.is_null())
    by_uid_[std::string(krm::uid_of(before))] = std::nullopt;
  else if (before.is_null())
    by_uid_[std::string(krm::uid_of(after))] = key;
  for (const json::Value& owner : after["metadata"]["ownerReferences"].items())
    owned_.emplace(owner["uid"].as_string(), key);
  changed_[key] = std::move(after);
}

Result<Done> Transaction::put(const krm::ObjectKey& key, json::Value object) {
  object = object.with_at({"metadata", "resourceVersion"}, std::to_string(version_ + 1));
  std::string text = json::print(object);
  if (text.size() > limits_.object_bytes)
    return invalid("{} bytes as JSON, more than the limit of {} for one object", text.size(),
                   limits_.object_bytes);
  const json::Value* stored = find(key);
  json::Value before = stored != nullptr ? *stored : json::Value();
  const Change change = stored != nullptr ? Change::kModified : Change::kAdded;
  log_.push_back({{change, object, before, ++version_}, key, std::move(text)});
  remember(key, before, std::move(object));
  return Done{};
}

void Transaction::erase(const krm::ObjectKey& key, json::Value before) {
  json::Value last = before.with_at({"metadata", "resourceVersion"}, std::to_string(version_ + 1));
  log_.push_back({{Change::kDeleted, std::move(last), before, ++version_}, key, ""});
  remember(key, before, json::Value());
}

void Transaction::roll_back(std::size_t log_size) {
  while (log_.size() > log_size) {
    const Logged& last = log_.back();
    const bool deleted = last.event.change == Change::kDeleted;
    remember(last.key, deleted ? json::Value() : last.event.object, last.event.previous);
    log_.pop_back();
    --version_;
  }
}

Result<Done> Transaction::check(const Precondition& only) const {
  const json::Value* there = find(only.key);
  return still(only, there != nullptr ? krm::uid_of(*there) : "");
}

Result<Transaction::Applied> Transaction::apply(const Write& write) {
  const bool creates = write.verb == Verb::kCreate;
  const Write named = {write.verb,
                       creates ? with_generated_name(write.object, stamp_) : write.object,
                       write.propagation,
                       {}};
  krm::ObjectKey key = krm::object_key(named.object);
  if (write.only) PORTICO_DO(check(*write.only), key.text());
  const json::Value* stored = find(key);
  if (stored == nullptr && !creates) return no_object(key);  // the error names the object
  PORTICO_TRY(Outcome outcome, apply_write(stored, named, stamp_), key.text());
  if (outcome.orphans) orphan_dependents(key, std::string(krm::uid_of(outcome.object)));
  switch (outcome.kind) {
    case Outcome::Kind::kKeep:
      return Applied{std::move(key), std::move(outcome.object)};
    case Outcome::Kind::kPut:
      PORTICO_DO(put(key, std::move(outcome.object)), key.text());
      break;
    case Outcome::Kind::kRemove:
      erase(key, outcome.object);
      break;
  }
  return Applied{std::move(key), log_.back().event.object};
}

json::Value Transaction::latest(const Applied& applied) const {
  const json::Value* now = find(applied.key);
  return now != nullptr ? *now : applied.object;
}

Result<std::vector<json::Value>> Transaction::apply_all(const std::vector<Write>& writes) {
  const std::size_t begin = log_.size();
  std::vector<Applied> applied;
  applied.reserve(writes.size());
  for (const Write& write : writes) {
    auto one = apply(write);
    if (!one) {
      roll_back(begin);
      return std::move(one).error();
    }
    applied.push_back(*std::move(one));
  }
  collect_garbage(begin);
  std::vector<json::Value> objects;
  objects.reserve(applied.size());
  for (const Applied& one : applied) objects.push_back(latest(one));
  return objects;
}

std::vector<Result<json::Value>> Transaction::apply_each(const std::vector<Write>& writes) {
  const std::size_t begin = log_.size();
  std::vector<Result<Applied>> applied;
  applied.reserve(writes.size());
  for (const Write& write : writes) applied.push_back(apply(write));
  collect_garbage(begin);
  std::vector<Result<json::Value>> results;
  results.reserve(applied.size());
  for (Result<Applied>& one : applied) {
    if (one)
      results.emplace_back(latest(*one));
    else
      results.emplace_back(std::move(one).error());
  }
  return results;
}

// Deletions made here append events that the same loop reaches later, so a cascade of any depth
// needs no recursion.
void Transaction::collect_garbage(std::size_t from) {
  for (std::size_t i = from; i < log_.size(); ++i) {
    const Event event = log_[i].event;
    const krm::ObjectKey key = log_[i].key;
    const std::string uid(krm::uid_of(event.object));
    const bool gone = event.change == Change::kDeleted;
    const json::Value& owners = event.object["metadata"]["ownerReferences"];
    const json::Value& before = event.previous["metadata"]["ownerReferences"];
    const bool begins_to_wait =
        !gone && waits_for_dependents(event.object) && !waits_for_dependents(event.previous);
    if (gone || begins_to_wait)
      for (const auto& [dependent, object] : dependents(uid)) settle_owners(dependent);
    if (begins_to_wait) finish_foreground(uid, key.ns);
    if (!gone && owners.same_as(before)) continue;
    if (!gone) settle_owners(key);
    for (const json::Value& each : before.items())
      finish_foreground(std::string(each["uid"].as_string()), key.ns);
  }
}

void Transaction::settle_owners(const krm::ObjectKey& key) {
  const json::Value* stored = find(key);
  if (stored == nullptr) return;
  json::Value object = *stored;
  const json::Value owners = object["metadata"]["ownerReferences"];
  std::vector<json::Value> living;
  bool awaited = false;
  for (const json::Value& each : owners.items()) {
    const std::string uid(each["uid"].as_string());
    const json::Value its_owner = owner(uid, key.ns);
    const bool waits = waits_for_dependents(its_owner);
    const bool lives = !its_owner.is_null() || (limits_.owners_elsewhere && is_elsewhere(uid));
    if (lives && !waits) living.push_back(each);
    awaited = awaited || waits;
  }
  if (living.size() == owners.size()) return;
  // Nothing here can fail: a stored object can be deleted, and one that shrinks still fits.
  if (!living.empty()) {
    (void)put(key, object.with_at({"metadata", "ownerReferences"},
                                  json::Value::array(std::move(living))));
    return;
  }
  if (krm::is_deleting(object)) return;
  Propagation propagation = Propagation::kBackground;
  const auto below = dependents(std::string(krm::uid_of(object)));
  if (awaited && !below.empty()) {
    propagation = Propagation::kForeground;
    // In a cycle of objects that wait for each other, one must not block.
    const bool circle = std::any_of(below.begin(), below.end(), [](const auto& each) {
      return waits_for_dependents(each.second);
    });
    if (circle) {
      std::vector<krm::OwnerReference> not_blocking = krm::owners_of(object);
      for (krm::OwnerReference& each : not_blocking) each.block_owner_deletion = false;
      object = krm::with_owners(object, not_blocking);
      (void)put(key, object);
    }
  }
  (void)apply({Verb::kDelete, object.without_at({"metadata", "resourceVersion"}), propagation});
}

void Transaction::orphan_dependents(const krm::ObjectKey& owner_key, const std::string& uid) {
  for (const auto& [key, object] : dependents(uid)) {
    if (key == owner_key) continue;  // the object owns itself
    std::vector<json::Value> others;
    for (const json::Value& each : object["metadata"]["ownerReferences"].items())
      if (each["uid"].as_string() != uid) others.push_back(each);
    (void)put(key, others.empty() ? object.without_at({"metadata", "ownerReferences"})
                                  : object.with_at({"metadata", "ownerReferences"},
                                                   json::Value::array(std::move(others))));
  }
}

// Completes the foreground deletion of the object with that uid once no blocking dependent is left.
void Transaction::finish_foreground(const std::string& uid, const std::string& ns) {
  const json::Value waiting = owner(uid, ns);
  if (!waits_for_dependents(waiting)) return;
  for (const auto& [key, object] : dependents(uid)) {
    if (owner(uid, key.ns).is_null()) continue;  // an owner in another namespace does not count
    for (const krm::OwnerReference& each : krm::owners_of(object))
      if (each.uid == uid && each.block_owner_deletion) return;
  }
  (void)apply({Verb::kUpdate, without_foreground(waiting)});
}

json::Value Transaction::owner(const std::string& uid, const std::string& ns) const {
  std::optional<krm::ObjectKey> key;
  const auto changed = by_uid_.find(uid);
  if (changed != by_uid_.end())
    key = changed->second;
  else
    key = table_.key_of_uid(uid);
  if (!key || (!key->ns.empty() && key->ns != ns)) return {};
  const json::Value* object = find(*key);
  return object != nullptr ? *object : json::Value();
}

bool Transaction::is_elsewhere(const std::string& uid) const {
  return !by_uid_.contains(uid) && !table_.key_of_uid(uid);
}

std::vector<std::pair<krm::ObjectKey, json::Value>> Transaction::dependents(
    const std::string& uid) const {
  std::set<krm::ObjectKey> keys;
  for (krm::ObjectKey& key : table_.dependents(uid)) keys.insert(std::move(key));
  for (auto at = owned_.lower_bound({uid, {}}); at != owned_.end() && at->first == uid; ++at)
    keys.insert(at->second);
  std::vector<std::pair<krm::ObjectKey, json::Value>> out;
  for (const krm::ObjectKey& key : keys) {
    const json::Value* object = find(key);
    if (object == nullptr) continue;
    // A changed object may have lost this owner.
    const auto owners = (*object)["metadata"]["ownerReferences"].items();
    if (std::any_of(owners.begin(), owners.end(),
                    [&](const json::Value& each) { return each["uid"].as_string() == uid; }))
      out.emplace_back(key, *object);
  }
  return out;
}

}  // namespace portico::registry
