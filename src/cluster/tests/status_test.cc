#include "cluster/status.h"

#include "testing/cases.h"

namespace portico::cluster {
namespace {

using portico::testing::case_name;
using portico::testing::cases;
using ::testing::ValuesIn;

class StatusErrors : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(StatusErrors, SayWhatTheServerSaid) {
  const auto& one = GetParam();
  const Error error = error_of(std::stoi(one["code"]), one["body"]);
  std::string said = fmt::format("{}: {}\n", name(error.reason, error.code), error.text());
  for (const Cause& cause : error.causes)
    said += fmt::format("cause {}: {}\n", cause.field, cause.message);
  one.expect("want", said);
}
INSTANTIATE_TEST_SUITE_P(Data, StatusErrors, ValuesIn(cases("cluster/tests/data/status")),
                         case_name);

}  // namespace
}  // namespace portico::cluster
