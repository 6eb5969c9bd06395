// The objects of a log that are stored encrypted.
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

/// Reads the rows of a log when it is opened, one after the other.
class SealedRows {
 public:
  /// `cipher` may be null: then nothing can be read that is encrypted. With `forget` an object that
  /// cannot be read is there without its content, and says so in an annotation.
  SealedRows(const Cipher* cipher, bool forget) : cipher_(cipher), forget_(forget) {}

  /// The JSON text of a stored object. kInvalid where it has been changed; where its key is not
  /// there, the object without its content, of which check() tells.
  Result<std::string> open(const krm::ObjectKey& key, const std::string& key_text,
                           registry::ResourceVersion version, std::string_view stored);

  /// kInvalid where the keys of some objects were not there: which, and what to do.
  Result<Done> check() const;

  /// What is to be stored instead, by version: what was plain, sealed with an older key, or is
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

/// What a sealed row is bound to.
std::string sealed_place(const std::string& key_text, registry::ResourceVersion version);

}  // namespace portico::store
