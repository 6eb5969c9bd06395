#include "api/retry.h"

#include <bit>

namespace portico::api {

Retry count_failure(const std::optional<Retry>& before, int failures,
                    std::chrono::milliseconds wait, TimePoint now) {
  const auto width = [](std::int64_t number) {
    return std::bit_width(static_cast<std::uint64_t>(number));
  };
  if (before && width(before->failures) == width(failures)) return *before;
  // A smaller count is a new sequence of failures: that of a new process.
  const bool goes_on = before && before->failures < failures;
  return {failures, goes_on ? before->since : rfc3339(now), rfc3339(now + wait)};
}

}  // namespace portico::api
