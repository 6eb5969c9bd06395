// Why a set or a variant cannot go on until something changes.
#pragma once

#include <string>

namespace portico::variants {

/// Goes into the conditions as it is: Stalled=True with reason and message.
struct Stall {
  std::string reason, message;
  bool operator==(const Stall&) const = default;
};

}  // namespace portico::variants
