#include "conformance/report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "conformance/support.h"
#include "testing/cases.h"

namespace portico::conformance {
namespace {

const std::vector<CaseResult> kResults = {passed("a"), failed("b", "--- want\n+++ have\n"),
                                          failed("c", "no newline"), skipped("d", "needs network"),
                                          skipped("e", "needs network")};

std::string text_of(const Known& known, const ReportOptions& options, Report* sums) {
  std::ostringstream out;
  *sums = report("demo", kResults, known, options, out);
  return out.str();
}

TEST(Report, ShowsDifferencesReasonsAndTheCounts) {
  Report sums;
  EXPECT_EQ(text_of({}, {}, &sums),
            "FAILED b\n--- want\n+++ have\nFAILED c\nno newline\n"
            "skipped 2: needs network\ndemo: 1 passed, 2 failed, 2 skipped\n");
  EXPECT_FALSE(sums.good());
}

TEST(Report, AListedFailureIsKnownAndCountsAsFailed) {
  Report sums;
  EXPECT_EQ(text_of({{"b", "as designed"}, {"c", "later"}}, {.quiet = true}, &sums),
            "known  b  # as designed\nknown  c  # later\nskipped 2: needs network\n"
            "known differences: 2 of the failed cases\ndemo: 1 passed, 2 failed, 2 skipped\n");
  EXPECT_TRUE(sums.good());
}

TEST(Report, AListMayNotNameWhatDoesNotFail) {
  const Known known = {{"a", "?"}, {"b", "?"}, {"c", "?"}, {"d", "?"}, {"gone", "?"}};
  Report sums;
  const std::string text = text_of(known, {.quiet = true}, &sums);
  EXPECT_EQ(sums.stale, 3u) << text;
  EXPECT_FALSE(sums.good());
  EXPECT_NE(text.find("STALE  gone is listed in known/demo.txt but is no case"), text.npos);
  text_of(known, {.quiet = true, .expect_all_known = false}, &sums);
  EXPECT_EQ(sums.stale, 2u) << "data other than the list's need not have all its cases";
}

TEST(Known, TakesNamesWithHashesAndWantsReasons) {
  auto known = parse_known("# comment\n\nfile/case#2  # rounds down\n");
  ASSERT_TRUE(known);
  EXPECT_EQ(*known, (Known{{"file/case#2", "rounds down"}}));
  EXPECT_EQ(parse_known("a # x\nb\n").error().what,
            "line 2: case \"b\" needs a reason after \" # \"");
  EXPECT_EQ(parse_known("a # x\na # y").error().what, "line 2: case \"a\" is listed twice");
}

TEST(Difference, IsEmptyOnlyForEqualTexts) {
  EXPECT_EQ(difference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(difference("", "x\n"), "--- want\n+++ have\n@@ -1 +1 @@\n+x\n");
  EXPECT_EQ(difference("a\n", "a"),
            "--- want\n+++ have\n@@ -1 +1 @@\n-a\n+a\n\\ no newline at the end\n");
}

TEST(Difference, HasContextAroundEachChange) {
  const std::string want = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n";
  std::string have = want;
  have.replace(have.find("3\n"), 2, "three\n");
  have.erase(have.find("14\n"), 3);
  EXPECT_EQ(difference(want, have),
            "--- want\n+++ have\n@@ -1 +1 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n"
            "@@ -11 +11 @@\n 11\n 12\n 13\n-14\n 15\n 16\n");
}

TEST(Difference, OfTwoLongTextsIsCutAndQuick) {
  std::string want, have;
  for (int i = 0; i < 30'000; ++i) {
    want += "want " + std::to_string(i) + "\n";
    have += "have " + std::to_string(i) + "\n";
  }
  const std::string text = difference(want, have);
  EXPECT_LT(text.size(), 10'000u);
  EXPECT_TRUE(text.ends_with("... and more\n"));
}

TEST(Difference, OfTreesNamesFiles) {
  const Tree want = {{"a", "1\n"}, {"b", "2\n"}, {"c", "3\n"}};
  const Tree have = {{"a", "1\n"}, {"b", "x\n"}, {"d", "4\n"}};
  EXPECT_EQ(difference(want, have),
            "file b\n--- want\n+++ have\n@@ -1 +1 @@\n-2\n+x\nmissing file: c\nfile too many: d\n");
  EXPECT_EQ(compare("t", want, want).outcome, Outcome::kPassed);
  EXPECT_EQ(compare("t", want, have).outcome, Outcome::kFailed);
}

TEST(Folders, AreFoundByTheirMarkerAndNamedByTheirPath) {
  const portico::testing::TempDir dir;
  const Tree tree = {{"g/02/case.yaml", ""},
                     {"g/01/case.yaml", ""},
                     {"g/01/input/case.yaml", ""},  // part of a case's data
                     {"g/03/other.yaml", ""},
                     {"rows.jsonl", "{\"a\":1}\n\n[2]\n"}};
  ASSERT_TRUE(write_tree(dir.path(), tree));
  EXPECT_EQ(read_tree(dir.path()), tree);
  std::vector<std::string> names;
  for (const auto& folder : case_folders(dir.path()))
    names.push_back(case_name(dir.path(), folder));
  EXPECT_EQ(names, (std::vector<std::string>{"g/01", "g/02"}));
  const auto rows = read_jsonl(files_with(dir.path(), ".jsonl").at(0));
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), 2u);
  EXPECT_EQ(read_file(dir.path() / "none").error().code, Code::kNotFound);
}

TEST(Jsonl, ErrorsNameFileAndLine) {
  const portico::testing::TempDir dir;
  ASSERT_TRUE(write_tree(dir.path(), {{"rows.jsonl", "{}\n{\n"}}));
  const auto rows = read_jsonl(dir.path() / "rows.jsonl");
  ASSERT_FALSE(rows);
  EXPECT_NE(rows.error().text().find("rows.jsonl:2: "), std::string::npos) << rows.error().text();
}

TEST(Guarded, TurnsAnExceptionIntoAFailedCase) {
  const CaseResult result =
      guarded("x", []() -> CaseResult { throw std::runtime_error("out of luck"); });
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.name, "x");
  EXPECT_EQ(result.detail, "exception: out of luck\n");
}

}  // namespace
}  // namespace portico::conformance
