#include "controllers/manager.h"

#include <gtest/gtest.h>

#include "controllers/tests/fleet_script.h"

namespace portico::controllers {
namespace {

class Managed : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Managed, SaysWhatItsFileWants) {
  drafts::Fleet fleet;
  FleetScript script(fleet, GetParam());
  GetParam().expect("want", script.run());
}

INSTANTIATE_TEST_SUITE_P(
    Data, Managed, ::testing::ValuesIn(portico::testing::cases("controllers/tests/data/manager")),
    portico::testing::case_name);

// The same with a watch that expires all the time, so that everything is listed again.
class ManagedWithAShortLog : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(ManagedWithAShortLog, SaysWhatItsFileWants) {
  drafts::Fleet fleet(1);
  FleetScript script(fleet, GetParam());
  GetParam().expect("want", script.run());
}

std::vector<portico::testing::Case> cases_of_all_kinds() {
  std::vector<portico::testing::Case> out =
      portico::testing::cases("controllers/tests/data/manager");
  const std::set<std::string> kept{"clone",   "deletion", "injection",      "let_go",
                                   "restart", "restore",  "set_of_objects", "set_of_repositories"};
  std::erase_if(out, [&](const auto& one) { return !kept.contains(one.file().stem().string()); });
  EXPECT_EQ(out.size(), kept.size());
  return out;
}

INSTANTIATE_TEST_SUITE_P(Data, ManagedWithAShortLog, ::testing::ValuesIn(cases_of_all_kinds()),
                         portico::testing::case_name);

}  // namespace
}  // namespace portico::controllers
