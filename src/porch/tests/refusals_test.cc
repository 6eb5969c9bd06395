#include "porch/refusals.h"

#include <gtest/gtest.h>

#include <sstream>

#include "testing/cases.h"

namespace portico::porch {
namespace {

class Refusals : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Refusals, AreToldApartByText) {
  std::istringstream answers(GetParam()["answers"]);
  std::string got;
  for (std::string line; std::getline(answers, line);) {
    const Error error = sorted(unavailable("{}", line));
    got += fmt::format("{} {}: {}{}\n", name(error.code), name(error.reason, error.code),
                       error.what, failed_to_render(error) ? " (render)" : "");
  }
  GetParam().expect("want", got);
}
INSTANTIATE_TEST_SUITE_P(Data, Refusals,
                         ::testing::ValuesIn(portico::testing::cases("porch/tests/data/refusals")),
                         portico::testing::case_name);

TEST(Refusals, KnowsOtherAnswersByTheirReason) {
  const Error forbidden_one = forbidden("User \"eve\" cannot update resource");
  EXPECT_EQ(sorted(forbidden_one), forbidden_one);
  const Error busy =
      unavailable("Internal error occurred: packages cannot be nested").because(Reason::kTimeout);
  EXPECT_EQ(sorted(busy), busy);
}

}  // namespace
}  // namespace portico::porch
