// Any text as a schedule: an error, or a next time that is later.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/cron.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto schedule =
      portico::CronSchedule::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!schedule) return 0;
  const portico::TimePoint now(std::chrono::seconds(1'800'000'000));
  if (schedule->next(now) <= now) std::abort();
  return 0;
}
