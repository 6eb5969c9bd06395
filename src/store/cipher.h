// Encryption of stored objects: the port to the holder of the keys.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/meta.h"

namespace portico::store {

/// Thread-safe. Never blocks on I/O or locks.
class Cipher {
 public:
  virtual ~Cipher() = default;

  /// Whether objects of the kind are encrypted.
  virtual bool hides(const krm::GroupKind& kind) const = 0;
  /// `text` in its stored form, which does not begin with '{'. It is bound to `place`, and opens
  /// nowhere else.
  virtual Result<std::string> seal(std::string_view text, std::string_view place) const = 0;
  /// kNotFound if the key that it was sealed with is missing; kInvalid if it was modified or sealed
  /// for another place.
  virtual Result<std::string> open(std::string_view sealed, std::string_view place) const = 0;
  /// Whether it is sealed with the key that seal() uses now.
  virtual bool is_current(std::string_view sealed) const = 0;
  /// What a user can do about a missing key: the end of a sentence.
  virtual std::string advice() const = 0;
};

}  // namespace portico::store
