// Which Repositories read their credentials from a given Secret. Pure.
#pragma once

#include <map>
#include <set>
#include <string>

#include "json/value.h"
#include "krm/meta.h"

namespace portico::controllers {

/// Maps spec.git.secretRef to the Repositories that use it. Not thread-safe.
class SecretIndex {
 public:
  /// The current Repository; null if it is deleted.
  void put(const krm::ObjectKey& key, const json::Value& repository);

  /// The Repositories whose access a change of this object affects. Empty unless the object is a
  /// Secret.
  std::set<krm::ObjectKey> concerned(const json::Value& object) const;

 private:
  std::map<krm::ObjectKey, std::set<krm::ObjectKey>> readers_;  // by Secret
  std::map<krm::ObjectKey, krm::ObjectKey> secret_of_;          // by Repository
};

}  // namespace portico::controllers
