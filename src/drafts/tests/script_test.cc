#include "drafts/tests/script.h"

#include <gtest/gtest.h>

namespace portico::drafts {
namespace {

class Scripts : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(Scripts, SayWhatTheirFileWants) {
  Fleet fleet;
  GetParam().expect("want", Script(fleet, GetParam()).run());
  for (const json::Value& repository : fleet.all(kRepositoryType))
    EXPECT_EQ(portico::testing::fsck(std::string(repository["spec"]["git"]["repo"].as_string())),
              "");
}

INSTANTIATE_TEST_SUITE_P(Data, Scripts,
                         ::testing::ValuesIn(portico::testing::cases("drafts/tests/data/script")),
                         portico::testing::case_name);

}  // namespace
}  // namespace portico::drafts
