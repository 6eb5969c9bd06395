// Objects that users have told Portico to leave alone for now.
#pragma once

#include <string>

#include "api/kinds.h"
#include "api/meta.h"

namespace portico::variants {

/// Whether the annotations have portico.dev/suspend: "true".
inline bool is_suspended(const api::StringMap& annotations) {
  const auto at = annotations.find(std::string(api::kSuspend));
  return at != annotations.end() && at->second == "true";
}

/// The condition of a suspended object; `why` is its message.
inline api::ConditionValue suspended_value(std::string why) {
  return {std::string(api::kSuspended), true, "Suspended", std::move(why)};
}

}  // namespace portico::variants
