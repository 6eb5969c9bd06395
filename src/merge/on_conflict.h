// Which side wins where both changed the same thing differently.
#pragma once

#include <string_view>

#include "base/result.h"

namespace portico::merge {

enum class OnConflict {
  kUpstream,  // the new upstream wins, as in kpt
  kLocal,     // the local version wins
  kFail,      // refuse the merge, naming the conflicts
};

/// "takeUpstream", "keepLocal", "fail": the values in the API (spec.onConflict) and the CLI.
std::string_view name_of(OnConflict policy);
/// "" is takeUpstream. Anything unknown is kInvalid; the error lists the valid words and the
/// nearest one.
Result<OnConflict> parse_on_conflict(std::string_view text);

}  // namespace portico::merge
