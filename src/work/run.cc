#include "work/run.h"

#include <algorithm>

#include "base/world_error.h"

namespace portico::work {
namespace {

constexpr std::chrono::milliseconds kFirstAfterConflicts{50};

}  // namespace

Next next_after(const Error& error, int failures) {
  constexpr int kConflicts = 5;
  // From an API server: no event reports a granted permission or a renewed token.
  if (error.reason == Reason::kForbidden || error.reason == Reason::kUnauthorized)
    return Next::kSlowly;
  if (error.code == Code::kInvalid || error.code == Code::kNotFound) return Next::kEvent;
  if (error.code == Code::kConflict && failures < kConflicts) return Next::kAtOnce;
  return remedy_of(error) == Remedy::kOperator ? Next::kSlowly : Next::kSoon;
}

std::optional<std::chrono::milliseconds> Run::wait_after(const Error& error) const {
  switch (next_after(error, failures)) {
    case Next::kEvent:
      return std::nullopt;
    case Next::kAtOnce:
      if (failures == 0) return std::chrono::milliseconds(0);
      return std::chrono::ceil<std::chrono::milliseconds>(
          BackOff{std::min(kFirstAfterConflicts, back_off.first)}.after(failures, jitter));
    case Next::kSoon:
      return std::chrono::ceil<std::chrono::milliseconds>(back_off.after(failures + 1, jitter));
    case Next::kSlowly:
      return std::chrono::ceil<std::chrono::milliseconds>(slow.after(failures + 1, jitter));
  }
  return std::nullopt;
}

}  // namespace portico::work
