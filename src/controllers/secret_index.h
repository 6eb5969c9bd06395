// Which Repositories read their credentials from a Secret. Pure.
#pragma once

#include <map>
#include <set>
#include <string>

#include "json/value.h"
#include "krm/meta.h"

namespace portico::controllers {

/// From spec.git.secretRef to the Repositories that have it. Not safe from several threads.
class SecretIndex {
 public:
  /// The Repository as it is now; null when it is gone.
  void put(const krm::ObjectKey& key, const json::Value& repository);

  /// The Repositories that a change of this object locks out or lets in: none but for a Secret.
  std::set<krm::ObjectKey> concerned(const json::Value& object) const;

 private:
  std::map<krm::ObjectKey, std::set<krm::ObjectKey>> readers_;  // by Secret
  std::map<krm::ObjectKey, krm::ObjectKey> secret_of_;          // by Repository
};

}  // namespace portico::controllers
