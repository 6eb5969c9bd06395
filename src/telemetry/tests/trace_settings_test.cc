// Settings from flag and environment: each file under data/trace_settings is one case.
#include "telemetry/trace_settings.h"

#include <gtest/gtest.h>

#include <sstream>

#include "testing/cases.h"

namespace portico::telemetry {
namespace {

std::string shown(const Result<std::optional<TraceSettings>>& settings) {
  if (!settings)
    return fmt::format("{}: {}\n", name(settings.error().code), settings.error().text());
  if (!*settings) return "no traces\n";
  const TraceSettings& all = **settings;
  std::string out = fmt::format("to {}{}\nservice {}\nratio {}, as parent {}\nevery {} ms\n",
                                all.server, all.target, all.service, all.sampling.ratio,
                                all.sampling.as_parent, all.wait.count());
  for (const http::HeaderField& each : all.headers)
    out += fmt::format("header {}: \"{}\"\n", each.name, each.value);
  return out;
}

class Settings : public ::testing::TestWithParam<testing::Case> {};

TEST_P(Settings, AreAsTheirFileSays) {
  std::map<std::string, std::string> variables;
  std::istringstream lines(GetParam()["environment"]);
  for (std::string line; std::getline(lines, line);)
    variables.emplace(line.substr(0, line.find('=')), line.substr(line.find('=') + 1));
  std::string flag = GetParam()["flag"];
  if (flag.ends_with('\n')) flag.pop_back();
  const auto settings = trace_settings(flag, [&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
  GetParam().expect("want", shown(settings));
}
INSTANTIATE_TEST_SUITE_P(Data, Settings,
                         ::testing::ValuesIn(testing::cases("telemetry/tests/data/trace_settings")),
                         testing::case_name);

TEST(Sampling, TakesAShareOfWhatBeginsHereByItsId) {
  const Sampling tenth{true, 0.1};
  std::size_t taken = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    taken += tenth.takes({0, i * (UINT64_MAX / 1000), 1}, std::nullopt) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(taken), 100, 2);
  EXPECT_TRUE((Sampling{true, 1}.takes({0, UINT64_MAX, 1}, std::nullopt)));
  EXPECT_FALSE((Sampling{true, 0}.takes({0, 0, 1}, std::nullopt)));
}

TEST(Sampling, FollowsOthersWhereItIsToldTo) {
  const SpanContext fresh{0, UINT64_MAX, 1}, recorded{0, UINT64_MAX, 2, true},
      ignored{0, UINT64_MAX, 2, false};
  const Sampling follows{true, 0}, decides{false, 1};
  EXPECT_TRUE(follows.takes(fresh, recorded));
  EXPECT_FALSE(follows.takes(fresh, ignored));
  EXPECT_TRUE(decides.takes(fresh, ignored));
}

}  // namespace
}  // namespace portico::telemetry
