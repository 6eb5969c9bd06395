// The encrypted objects in a log.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "krm/meta.h"
#include "registry/registry.h"
#include "store/cipher.h"

namespace portico::store {

/// Decrypts the rows of a log one by one while the store is opened.
class SealedRows {
 public:
  /// `cipher` may be null: then encrypted objects cannot be read. With `forget`, an object whose
  /// key is missing is kept without its content and marked with an annotation.
  SealedRows(const Cipher* cipher, bool forget) : cipher_(cipher), forget_(forget) {}

  /// The JSON text of a stored object. kInvalid if it was modified. If its key is missing, returns
  /// the object without its content, which check() reports.
  Result<std::string> open(const krm::ObjectKey& key, const std::string& key_text,
                           registry::ResourceVersion version, std::string_view stored);

  /// kInvalid if keys of objects were missing: lists the objects, and what to do.
  Result<Done> check() const;

  /// New stored forms by version: for rows that were plain text, sealed with an older key, or
  /// forgotten.
  std::map<registry::ResourceVersion, std::string> take_rewrites() { return std::move(rewrites_); }

 private:
  Result<Done> store_anew(const std::string& key_text, registry::ResourceVersion version,
                          std::string_view text);

  const Cipher* cipher_;
  bool forget_;
  std::set<std::string> lost_;  // keys of objects
  std::map<registry::ResourceVersion, std::string> rewrites_;
};

/// The place that a sealed row is bound to.
std::string sealed_place(const std::string& key_text, registry::ResourceVersion version);

}  // namespace portico::store
