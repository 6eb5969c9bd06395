#include "merge/differences.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "krm/equal.h"
#include "merge/tests/package_text.h"
#include "testing/cases.h"

namespace portico::merge {
namespace {

using testing::Case;
using Kind = Difference::Kind;

std::string shown(const std::vector<Difference>& differences) {
  std::string text;
  for (const Difference& one : differences) text += difference_text(one) + "\n";
  return text;
}

Kind opposite(Kind kind) {
  if (kind == Kind::kAdded) return Kind::kRemoved;
  return kind == Kind::kRemoved ? Kind::kAdded : kind;
}

class Differences : public ::testing::TestWithParam<Case> {};

TEST_P(Differences, MatchTheirFile) {
  const krm::Package before = package(GetParam()["before"]), after = package(GetParam()["after"]);
  const std::vector<Difference> found = differences(before, after);
  GetParam().expect("want", shown(found));
  EXPECT_TRUE(differences(before, before).empty());
  EXPECT_TRUE(differences(after, after).empty());
  // Swapping the versions gives the opposite differences.
  for (const Difference& back : differences(after, before)) {
    bool has_opposite = false;
    for (const Difference& one : found)
      has_opposite |= one.kind == opposite(back.kind) && one.field == back.field &&
                      one.before == back.after && one.after == back.before;
    EXPECT_TRUE(has_opposite) << difference_text(back);
  }
}
INSTANTIATE_TEST_SUITE_P(Data, Differences,
                         ::testing::ValuesIn(testing::cases("merge/tests/data/differences")),
                         testing::case_name);

TEST(Differences, OfModesAndNewFiles) {
  krm::Package before, after;
  before.set("run.sh", "true\n");
  after.files.emplace("run.sh", krm::File("true\n", krm::FileMode::kExecutable));
  after.set("empty.yaml", "# nothing\n");
  EXPECT_EQ(shown(differences(before, after)),
            "empty.yaml: added\n"
            "run.sh: changed from \"regular\" to \"executable\"\n");
}

TEST(NewComments, AreThoseThatWereNotThere) {
  const krm::Package before = package("=== a.yaml\n# one\na: 1 # two\n");
  EXPECT_FALSE(has_new_comments(before, before));
  EXPECT_FALSE(has_new_comments(before, package("=== a.yaml\na: 2\n")));
  EXPECT_FALSE(has_new_comments(before, package("=== a.yaml\n\n# two\n# one\na: 1\n")));
  EXPECT_FALSE(has_new_comments(before, package("=== a.yaml\na: 1 # kpt-merge: /a\n")));
  EXPECT_TRUE(has_new_comments(before, package("=== a.yaml\n# one\na: 1 # three\n")));
  EXPECT_TRUE(has_new_comments(before, package("=== a.yaml\n# one\n# one\na: 1 # two\n")));
  EXPECT_TRUE(has_new_comments(before, package("=== b.yaml\n# one\n")));
  EXPECT_FALSE(has_new_comments(before, package("=== b.txt\n# three\n")));
}

krm::Package arbitrary_package() {
  krm::Package made;
  for (const char* path : {"a.yaml", "b.yaml", "Kptfile", "c.txt"}) {
    if (*rc::gen::inRange(0, 4) == 0) continue;
    std::string text = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: ";
    text += *rc::gen::element<std::string>("a", "b");
    text +=
        *rc::gen::element<std::string>("", " # note", "\n  labels: {a: b}", "\n  labels: {a: c}");
    text += *rc::gen::element<std::string>("\n", "\nspec: {containers: [{name: a}, {name: b}]}\n",
                                           "\nspec: {containers: [{name: b}, {name: a}]}\n",
                                           "\nspec: {containers: [{image: a}]}\n",
                                           "\nspec:\n  containers:\n  - name: b\n  - name: a\n");
    made.files.emplace(path, krm::File(text, *rc::gen::element(krm::FileMode::kRegular,
                                                               krm::FileMode::kExecutable)));
  }
  return made;
}

RC_GTEST_PROP(Differences, NoneMeansEqualAsKrm, ()) {
  const krm::Package a = arbitrary_package(), b = arbitrary_package();
  RC_ASSERT(differences(a, b).empty() == krm::equal(a, b));
}

}  // namespace
}  // namespace portico::merge
