#include "controllers/manager.h"

#include <gtest/gtest.h>

#include "controllers/tests/fleet_script.h"

namespace portico::controllers {
namespace {

class Managed : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Managed, SaysWhatItsFileWants) {
  revisions::Fleet fleet;
  FleetScript script(fleet, GetParam());
  GetParam().expect("want", script.run());
}

// The watch loses its place all the time, and everything is listed anew.
TEST_P(Managed, SaysTheSameWhereTheLogIsShort) {
  revisions::Fleet fleet(1);
  FleetScript script(fleet, GetParam());
  GetParam().expect("want", script.run());
}

INSTANTIATE_TEST_SUITE_P(
    Data, Managed, ::testing::ValuesIn(portico::testing::cases("controllers/tests/data/manager")),
    portico::testing::case_name);

}  // namespace
}  // namespace portico::controllers
