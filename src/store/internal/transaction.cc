#include "store/internal/transaction.h"

#include <algorithm>
#include <utility>

#include "json/text.h"
#include "krm/meta.h"

namespace portico::store {

using registry::Change;
using registry::Event;
using registry::Outcome;
using registry::ResourceVersion;
using registry::Stamp;
using registry::Verb;
using registry::Write;

Transaction::Transaction(const Table& table, ResourceVersion version, Stamp stamp,
                         std::size_t object_bytes)
    : table_(table), version_(version), stamp_(std::move(stamp)), object_bytes_(object_bytes) {}

const json::Value* Transaction::find(const krm::ObjectKey& key) const {
  const auto changed = changed_.find(key);
  if (changed == changed_.end()) return table_.find(key);
  return changed->second.is_null() ? nullptr : &changed->second;
}

void Transaction::remember(const krm::ObjectKey& key, const json::Value& before,
                           json::Value after) {
  if (after.is_null())
    namespaces_by_uid_[std::string(krm::uid_of(before))] = std::nullopt;
  else if (before.is_null())
    namespaces_by_uid_[std::string(krm::uid_of(after))] = key.ns;
  for (const json::Value& owner : after["metadata"]["ownerReferences"].items())
    owned_.emplace(owner["uid"].as_string(), key);
  changed_[key] = std::move(after);
}

Result<Done> Transaction::put(const krm::ObjectKey& key, json::Value object) {
  object = object.with_at({"metadata", "resourceVersion"}, std::to_string(version_ + 1));
  std::string text = json::print(object);
  if (text.size() > object_bytes_)
    return invalid("{} bytes as JSON, more than the limit of {} for one object", text.size(),
                   object_bytes_);
  const json::Value* stored = find(key);
  json::Value before = stored != nullptr ? *stored : json::Value();
  const Change change = stored != nullptr ? Change::kModified : Change::kAdded;
  log_.push_back({{change, object, before, ++version_}, key, std::move(text)});
  remember(key, before, std::move(object));
  return Done{};
}

void Transaction::erase(const krm::ObjectKey& key, const json::Value& object) {
  // A copy: `object` may live in changed_.
  const json::Value before = object;
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

Result<Transaction::Applied> Transaction::apply(const Write& write) {
  const bool creates = write.verb == Verb::kCreate;
  const Write named = {write.verb,
                       creates ? with_generated_name(write.object, stamp_) : write.object};
  krm::ObjectKey key = krm::object_key(named.object);
  const json::Value* stored = find(key);
  PORTICO_TRY(Outcome outcome, apply_write(stored, named, stamp_), key.text());
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

json::Value Transaction::latest(Applied applied) const {
  const json::Value* now = find(applied.key);
  return now != nullptr ? *now : std::move(applied.object);
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
  for (Applied& one : applied) objects.push_back(latest(std::move(one)));
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
      results.emplace_back(latest(*std::move(one)));
    else
      results.emplace_back(std::move(one).error());
  }
  return results;
}

// What is deleted here makes events, which the loop then meets in turn: a cascade of any depth
// needs no recursion.
void Transaction::collect_garbage(std::size_t from) {
  for (std::size_t i = from; i < log_.size(); ++i) {
    const Event event = log_[i].event;
    if (event.change == Change::kDeleted) {
      for (const krm::ObjectKey& key : dependents(std::string(krm::uid_of(event.object))))
        settle_owners(key);
    } else if (!event.object["metadata"]["ownerReferences"].same_as(
                   event.previous["metadata"]["ownerReferences"])) {
      settle_owners(krm::ObjectKey(log_[i].key));
    }
  }
}

void Transaction::settle_owners(const krm::ObjectKey& key) {
  const json::Value* stored = find(key);
  if (stored == nullptr) return;
  const json::Value object = *stored;
  const json::Value& owners = object["metadata"]["ownerReferences"];
  std::vector<json::Value> living;
  for (const json::Value& owner : owners.items())
    if (owner_exists(std::string(owner["uid"].as_string()), key.ns)) living.push_back(owner);
  if (living.size() == owners.size()) return;
  // Neither can fail: an object that is stored can be deleted, and one that shrinks still fits.
  if (living.empty()) {
    (void)apply({Verb::kDelete, object.without_at({"metadata", "resourceVersion"})});
  } else {
    (void)put(key, object.with_at({"metadata", "ownerReferences"},
                                  json::Value::array(std::move(living))));
  }
}

bool Transaction::owner_exists(const std::string& uid, const std::string& ns) const {
  const auto changed = namespaces_by_uid_.find(uid);
  if (changed != namespaces_by_uid_.end())
    return changed->second && (changed->second->empty() || *changed->second == ns);
  const auto where = table_.key_of_uid(uid);
  return where && (where->ns.empty() || where->ns == ns);
}

std::set<krm::ObjectKey> Transaction::dependents(const std::string& uid) const {
  // Keys whose object has changed since stand here too: settle_owners looks at the object.
  std::set<krm::ObjectKey> keys;
  for (krm::ObjectKey& key : table_.dependents(uid)) keys.insert(std::move(key));
  for (auto at = owned_.lower_bound({uid, {}}); at != owned_.end() && at->first == uid; ++at)
    keys.insert(at->second);
  return keys;
}

}  // namespace portico::store
