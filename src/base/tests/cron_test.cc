#include "base/cron.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace portico {
namespace {

std::string next(const std::string& schedule, const std::string& time) {
  const auto parsed = CronSchedule::parse(schedule);
  return parsed ? rfc3339(parsed->next(*parse_rfc3339(time))) : parsed.error().text();
}

TEST(Cron, NextTime) {
  struct Row {
    const char *schedule, *time, *want;
  };
  constexpr Row kRows[] = {
      {"* * * * *", "2026-11-22T08:24:30Z", "2026-11-22T08:25:00Z"},
      {"* * * * *", "2026-11-22T08:24:00Z", "2026-11-22T08:25:00Z"},
      {"*/15 * * * *", "2026-11-22T08:24:30Z", "2026-11-22T08:30:00Z"},
      {"5/20 * * * *", "2026-11-22T08:46:00Z", "2026-11-22T09:05:00Z"},
      {"0 */2 * * *", "2026-11-22T23:10:00Z", "2026-11-23T00:00:00Z"},
      {"30 8 * * mon-fri", "2026-11-20T09:00:00Z", "2026-11-23T08:30:00Z"},
      {"0 0 1 jan,Jul *", "2026-02-01T00:00:00Z", "2026-07-01T00:00:00Z"},
      {"0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"},
      {"0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"},
      // If both day fields are restricted, either one matches.
      {"0 0 13 * 5", "2026-11-01T00:00:00Z", "2026-11-06T00:00:00Z"},
      {"0 0 13 * 5", "2026-11-06T00:00:00Z", "2026-11-13T00:00:00Z"},
      {"0 0 ? * 0", "2026-11-22T00:00:00Z", "2026-11-29T00:00:00Z"},
      {"@hourly", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"},
      {"@weekly", "2026-11-22T00:00:00Z", "2026-11-29T00:00:00Z"},
      {"@yearly", "2026-11-22T00:00:00Z", "2027-01-01T00:00:00Z"},
      {"@every 1h30m", "2026-11-22T08:00:10Z", "2026-11-22T09:30:10Z"},
      {"CRON_TZ=UTC 0 6 * * *", "2026-11-22T08:00:00Z", "2026-11-23T06:00:00Z"},
  };
  for (const Row& row : kRows) EXPECT_EQ(next(row.schedule, row.time), row.want) << row.schedule;
}

TEST(Cron, WhatIsNone) {
  struct Row {
    const char *schedule, *want;
  };
  constexpr Row kRows[] = {
      {"60 * * * *", "\"60\" is not a valid minute: must be between 0 and 59"},
      {"* * * * 7", "\"7\" is not a valid day of the week: must be between 0 and 6"},
      {"* * 0 * *", "\"0\" is not a valid day: must be between 1 and 31"},
      {"* 5-3 * * *", "invalid hour range \"5-3\": the end is before the beginning"},
      {"*/0 * * * *", "invalid minute step \"0\": must be between 1 and 1000"},
      {"* * * foo *", "\"foo\" is not a valid month: must be between 1 and 12"},
      {"1,, * * * *", "\"\" is not a valid minute: must be between 0 and 59"},
      {"0 0 30 2 *", "schedule \"0 0 30 2 *\" never runs"},
      {"@every 5", "invalid duration \"5\": use a value such as 30s or 1h30m"},
      {"@every 0s", "invalid duration \"0s\": use a value such as 30s or 1h30m"},
      {"TZ=Europe/Berlin 0 6 * * *",
       "unsupported time zone \"TZ=Europe/Berlin\": schedules are in UTC"},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(next(row.schedule, "2026-11-22T08:00:00Z"), row.want) << row.schedule;
  for (const char* schedule : {"", "* * * *", "* * * * * *", "@sometimes", "hourly"})
    EXPECT_FALSE(CronSchedule::parse(schedule)) << schedule;
}

RC_GTEST_PROP(Cron, TheNextTimeIsLaterAndOnTheMinute, ()) {
  const auto field = [](int first, int last) {
    const int number = *rc::gen::inRange(first, last + 1);
    return *rc::gen::element(std::string("*"), std::to_string(number),
                             "*/" + std::to_string(number == 0 ? 1 : number));
  };
  const std::string text = field(0, 59) + " " + field(0, 23) + " " + field(1, 28) + " " +
                           field(1, 12) + " " + field(0, 6);
  const auto schedule = CronSchedule::parse(text);
  RC_ASSERT(bool(schedule));
  const TimePoint time(std::chrono::seconds(*rc::gen::inRange<std::int64_t>(0, 4'000'000'000)));
  const TimePoint next = schedule->next(time);
  RC_ASSERT(next > time);
  RC_ASSERT(std::chrono::floor<std::chrono::minutes>(next) == next);
  // No earlier match in between.
  RC_ASSERT(schedule->next(next - std::chrono::seconds(1)) == next);
}

}  // namespace
}  // namespace portico
