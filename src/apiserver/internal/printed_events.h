// Events as text, printed once for all watches that show them in the same form.
#pragma once

#include <cstddef>
#include <string>

#include "base/guarded.h"
#include "base/lru_cache.h"
#include "http/message.h"

namespace portico::apiserver {

/// A cache of the texts of the newest events, limited to a few megabytes. Thread-safe.
class PrintedEvents {
 public:
  /// The cached text of this name, or the result of `print`: equal names must stand for equal
  /// texts. `print` runs without a lock, so two threads may both run it for a new name.
  template <class Print>
  http::Chunk get(const std::string& name, Print&& print) {
    if (auto known = texts_.with([&](Texts& texts) { return texts.find(name); })) return known;
    http::Chunk made = print();
    texts_.with([&](Texts& texts) { texts.add(name, made, made->size() + kBytesOfOne); });
    return made;
  }

 private:
  using Texts = LruCache<std::string>;
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20, kBytesOfOne = 256;

  Guarded<Texts> texts_{kMostBytes};
};

}  // namespace portico::apiserver
