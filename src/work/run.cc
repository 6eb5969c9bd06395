#include "work/run.h"

#include <algorithm>

#include "base/world_error.h"

namespace portico::work {
namespace {

constexpr std::chrono::milliseconds kFirstAfterConflicts{50};

}  // namespace

Pace pace_of(const Error& error) {
  // No event reports a granted permission or a renewed token.
  if (error.reason == Reason::kForbidden || error.reason == Reason::kUnauthorized)
    return Pace::kDenied;
  return remedy_of(error) == Remedy::kOperator ? Pace::kSlowly : Pace::kSoon;
}

Next next_after(const Error& error, int failures) {
  constexpr int kConflicts = 5;
  if (pace_of(error) != Pace::kSoon) return Next::kRetry;
  if (error.code == Code::kInvalid || error.code == Code::kNotFound) return Next::kEvent;
  if (error.code == Code::kConflict && failures < kConflicts) return Next::kAtOnce;
  return Next::kRetry;
}

std::optional<std::chrono::milliseconds> Run::wait_after(const Error& error) const {
  switch (next_after(error, failures)) {
    case Next::kEvent:
      return std::nullopt;
    case Next::kAtOnce:
      if (failures == 0) return std::chrono::milliseconds(0);
      return std::chrono::ceil<std::chrono::milliseconds>(
          BackOff{std::min(kFirstAfterConflicts, back_off.first)}.after(failures, jitter));
    case Next::kRetry:
      break;
  }
  Failures now{failures, refused};
  now.count(pace_of(error));
  return std::chrono::ceil<std::chrono::milliseconds>(
      work::wait_after(pace_of(error), now, back_off, slow, jitter));
}

}  // namespace portico::work
