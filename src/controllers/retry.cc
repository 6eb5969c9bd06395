#include "controllers/retry.h"

namespace portico::controllers {

std::optional<api::Retry> retry_after(const std::optional<api::Retry>& before, const Error* error,
                                      const work::Run& run, TimePoint now) {
  if (error == nullptr) return std::nullopt;
  const work::Next next = work::next_after(*error, run.failures);
  if (next == work::Next::kEvent) return std::nullopt;
  if (next == work::Next::kAtOnce || run.id.empty()) return before;
  return api::count_failure(before, run.failures + 1, *run.wait_after(*error), now);
}

}  // namespace portico::controllers
