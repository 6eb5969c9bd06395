#include "controllers/secret_index.h"

namespace portico::controllers {
namespace {

const krm::GroupKind kSecrets{"", "Secret"};

}  // namespace

void SecretIndex::put(const krm::ObjectKey& key, const json::Value& repository) {
  if (const auto before = secret_of_.find(key); before != secret_of_.end()) {
    const auto readers = readers_.find(before->second);
    readers->second.erase(key);
    if (readers->second.empty()) readers_.erase(readers);
    secret_of_.erase(before);
  }
  const std::string_view name = repository["spec"]["git"]["secretRef"]["name"].as_string();
  if (name.empty()) return;
  krm::ObjectKey secret{kSecrets, key.ns, std::string(name)};
  readers_[secret].insert(key);
  secret_of_.emplace(key, std::move(secret));
}

std::set<krm::ObjectKey> SecretIndex::concerned(const json::Value& object) const {
  const krm::ObjectKey key = krm::object_key(object);
  if (key.type != kSecrets) return {};
  const auto at = readers_.find(key);
  return at == readers_.end() ? std::set<krm::ObjectKey>() : at->second;
}

}  // namespace portico::controllers
