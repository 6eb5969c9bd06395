// What a store keeps secret on disk: the port to whoever has the keys.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "krm/meta.h"

namespace portico::store {

/// Safe from any thread. No call waits for anything but the processor.
class Cipher {
 public:
  virtual ~Cipher() = default;

  /// Whether objects of the kind are kept secret.
  virtual bool hides(const krm::GroupKind& kind) const = 0;
  /// `text` as it is to be stored: a text that does not begin with '{'. `place` names where, and it
  /// opens nowhere else.
  virtual Result<std::string> seal(std::string_view text, std::string_view place) const = 0;
  /// kNotFound where the key that it was sealed with is not there; kInvalid where it has changed
  /// since, or was sealed for another place.
  virtual Result<std::string> open(std::string_view sealed, std::string_view place) const = 0;
  /// Whether it is sealed with the key that seal() uses now.
  virtual bool is_current(std::string_view sealed) const = 0;
  /// What a person can do about a key that is not there: the end of a sentence.
  virtual std::string advice() const = 0;
};

}  // namespace portico::store
