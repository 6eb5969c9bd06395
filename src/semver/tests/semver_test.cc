// Versions and constraints: the data files hold the results of the Go libraries that users know.
#include <gtest/gtest.h>

#include <sstream>

#include "semver/constraint.h"
#include "semver/version.h"
#include "testing/cases.h"

namespace portico::semver {
namespace {

using testing::Case;
using testing::case_name;
using testing::cases;

/// The lines of a section, up to "  --> ".
std::vector<std::string> texts(const std::string& section) {
  std::vector<std::string> out;
  std::istringstream lines(section);
  for (std::string line; std::getline(lines, line);)
    out.push_back(line.substr(0, line.find("  -->")));
  return out;
}

class Constraints : public ::testing::TestWithParam<Case> {};

TEST_P(Constraints, AllowWhatTheirFileSays) {
  std::vector<std::string> versions;
  std::istringstream words(GetParam()["versions"]);
  for (std::string word; words >> word;) versions.push_back(word);
  std::string out;
  for (const std::string& text : texts(GetParam()["constraints"])) {
    out += text + "  -->";
    const auto constraint = Constraint::parse(text);
    if (!constraint) out += " no constraint";
    for (const std::string& version : versions)
      if (constraint && constraint->allows(*parse_version(version))) out += " " + version;
    out += "\n";
  }
  GetParam().expect("constraints", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Constraints,
                         ::testing::ValuesIn(cases("semver/tests/data/constraints")), case_name);

class Versions : public ::testing::TestWithParam<Case> {};

TEST_P(Versions, AreReadAsTheirFileSays) {
  const auto shown = [](const Result<Version>& version) {
    return version ? version->text() : version.error().what;
  };
  std::string out;
  for (const std::string& text : texts(GetParam()["versions"])) {
    const auto loose = parse_version(text);
    out += text + "  --> " + (loose ? loose->text() : "no version") + " | " +
           shown(parse_strict(text)) + " | " + shown(parse_normalized(text)) + "\n";
  }
  GetParam().expect("versions", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Versions, ::testing::ValuesIn(cases("semver/tests/data/versions")),
                         case_name);

TEST(Version, IsOrderedAsSemverSays) {
  const char* const ascending[] = {"1.0.0-0",
                                   "1.0.0-1",
                                   "1.0.0-2",
                                   "1.0.0-10",
                                   "1.0.0-18446744073709551616",
                                   "1.0.0-Z",
                                   "1.0.0-alpha",
                                   "1.0.0-alpha.1",
                                   "1.0.0-alpha.beta",
                                   "1.0.0-beta",
                                   "1.0.0-beta.2",
                                   "1.0.0-beta.11",
                                   "1.0.0-rc.1",
                                   "1.0.0",
                                   "1.0.1",
                                   "1.1.0",
                                   "2.0.0",
                                   "v10"};
  for (std::size_t i = 0; i < std::size(ascending); ++i)
    for (std::size_t j = 0; j < std::size(ascending); ++j)
      EXPECT_EQ(*parse_version(ascending[i]) <=> *parse_version(ascending[j]), i <=> j)
          << ascending[i] << " " << ascending[j];
  EXPECT_EQ(*parse_version("1.2.3+a"), *parse_version("1.2.3+b"));
}

TEST(Constraint, MeetsWhatAllowsOneOfItsVersions) {
  struct Row {
    const char *a, *b;
    bool meet;
  };
  const Row rows[] = {
      {"*", "^3", true},
      {"<=0.4.1", ">0.4.1", false},
      {"~0.4", "<=0.4.1", true},
      {"<1", ">=1", false},
      {"<1 || >2", "1 - 2", false},
      {"!=1.2.3", "=1.2.3", false},
      {"!=1.2", "1.2.x", false},
      {">1.2.3 <1.2.4", "*", false},
      // Only prereleases are between these two.
      {">1.2.3-0 <1.2.3", "*", false},
      {">1.2.3-0 <1.2.3", "=1.2.3-rc", true},
      {"<1.2.3-0", ">1.2.2", false},
      {"<1.2.3-0", ">=1.2.2", true},
  };
  for (const Row& row : rows) {
    const auto a = Constraint::parse(row.a), b = Constraint::parse(row.b);
    ASSERT_TRUE(a && b) << row.a << " and " << row.b;
    EXPECT_EQ(a->meets(*b), row.meet) << row.a << " and " << row.b;
    EXPECT_EQ(b->meets(*a), row.meet) << row.b << " and " << row.a;
  }
}

TEST(Constraint, NamesTheLowestVersion) {
  const auto lowest = [](const char* a, const char* b) {
    const auto version = Constraint::parse(a)->lowest_common(*Constraint::parse(b));
    return version ? version->text() : "none";
  };
  EXPECT_EQ(lowest("*", "^0.4"), "0.4.0");
  EXPECT_EQ(lowest(">0.4.1", "~0.4"), "0.4.2");
  EXPECT_EQ(lowest("~3 || ~0.2.1", "*"), "0.2.1");
  EXPECT_EQ(lowest(">1.2.3-0 <1.2.3", ">=1.0.0-0"), "1.2.3-0.0");
  EXPECT_EQ(lowest("<1", ">=1"), "none");
}

TEST(Constraint, LooksAtAllPrereleasesWhereItIsToldTo) {
  const auto version = *parse_version("1.2.3-rc.1");
  EXPECT_FALSE(Constraint::parse("<=1.2.3")->allows(version));
  EXPECT_TRUE(Constraint::parse("<=1.2.3", Prereleases::kAll)->allows(version));
  EXPECT_FALSE(Constraint::parse(">1.2.3", Prereleases::kAll)->allows(version));
}

TEST(Constraint, HasLimits) {
  EXPECT_FALSE(Constraint::parse(std::string(513, '1')));
  std::string groups = "1";
  for (int i = 1; i < 32; ++i) groups += "||1";
  EXPECT_TRUE(Constraint::parse(groups));
  const auto more = Constraint::parse(groups + "||1");
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().what, "a version constraint has at most 32 groups");
}

}  // namespace
}  // namespace portico::semver
