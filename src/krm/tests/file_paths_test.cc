#include "krm/file_paths.h"

#include <gtest/gtest.h>

#include <sstream>

#include "testing/cases.h"

namespace portico::krm {
namespace {

class FilePaths : public ::testing::TestWithParam<portico::testing::Case> {};

TEST_P(FilePaths, AreFitOrNot) {
  std::istringstream lines(GetParam()["packages"]);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    Package package;
    std::istringstream words(line);
    for (std::string path; words >> path;) package.set(path, "");
    const auto checked = check_paths(package);
    out += line + " -> " + (checked ? "fit" : checked.error().text()) + "\n";
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, FilePaths,
                         ::testing::ValuesIn(portico::testing::cases("krm/tests/data/file_paths")),
                         portico::testing::case_name);

TEST(Links, LeadInsideByTheirText) {
  EXPECT_TRUE(leads_inside("a/b/link", "../../x"));
  EXPECT_TRUE(leads_inside("link", "x/y"));
  EXPECT_TRUE(leads_inside("link", "./x"));
  EXPECT_FALSE(leads_inside("a/link", "../../x"));
  EXPECT_FALSE(leads_inside("link", "/x"));
  EXPECT_FALSE(leads_inside("link", ""));
  EXPECT_FALSE(leads_inside("link", "x/../../y"));
  EXPECT_FALSE(leads_inside("link", "x/../y")) << "x can be a link";
  EXPECT_FALSE(leads_inside("link", ".git/hooks"));
}

TEST(Paths, ControlCharactersAreRefused) {
  Package package;
  package.set("a\nb", "");
  EXPECT_EQ(check_paths(package).error().text(),
            "file \"a\\nb\" cannot be written: its name has a control character");
}

}  // namespace
}  // namespace portico::krm
