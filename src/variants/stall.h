// The reason why a set or a variant cannot proceed until something changes.
#pragma once

#include <string>

namespace portico::variants {

/// Copied into the conditions unchanged: Stalled=True with reason and message.
struct Stall {
  std::string reason, message;
  bool operator==(const Stall&) const = default;
};

}  // namespace portico::variants
