// Who wins where both sides changed one thing differently.
#pragma once

#include <string_view>

#include "base/result.h"

namespace portico::merge {

enum class OnConflict {
  kUpstream,  // the new upstream wins, as in kpt
  kLocal,     // the local version wins
  kFail,      // refuse the merge, naming the conflicts
};

/// "takeUpstream", "keepLocal", "fail": the words of the API (spec.onConflict) and of the commands.
std::string_view name_of(OnConflict policy);
/// "" is takeUpstream; kInvalid that names the words, and the nearest, for anything unknown.
Result<OnConflict> parse_on_conflict(std::string_view text);

}  // namespace portico::merge
