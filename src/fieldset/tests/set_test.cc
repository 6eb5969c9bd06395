#include "fieldset/set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fieldset/tests/support.h"
#include "testing/cases.h"

namespace portico::fieldset {
namespace {

using portico::testing::Case;
using portico::testing::case_name;
using portico::testing::cases;

class Fields : public ::testing::TestWithParam<Case> {};

/// Each line of `fields` is FieldsV1; `want` has the paths, or the error.
TEST_P(Fields, MatchesItsFile) {
  std::istringstream in(GetParam()["fields"]);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    const auto value = json::parse(line);
    ASSERT_TRUE(value) << line;
    const auto set = parse_fields(*value);
    if (set) {
      out += set->text() + "= " + json::print(to_fields(*set)) + "\n";
      EXPECT_EQ(*parse_fields(to_fields(*set)), *set);
    } else {
      out += set.error().text() + "\n";
    }
  }
  GetParam().expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Fields, ::testing::ValuesIn(cases("fieldset/tests/data/fields")),
                         case_name);

class Sets : public ::testing::TestWithParam<Case> {};

TEST_P(Sets, MatchesItsFile) {
  const Set a = *parse_fields(*json::parse(GetParam()["a"]));
  const Set b = *parse_fields(*json::parse(GetParam()["b"]));
  const auto shown = [](const Set& set) { return json::print(to_fields(set)) + "\n"; };
  GetParam().expect("union", shown(union_of(a, b)));
  GetParam().expect("intersection", shown(intersection(a, b)));
  GetParam().expect("difference", shown(difference(a, b)));
  GetParam().expect("difference below", shown(difference_below(a, b)));
  GetParam().expect("leaves", shown(leaves(a)));
  const std::vector<std::vector<std::string>> prefixes = {{"spec", "a"}, {"status"}};
  GetParam().expect("only spec.a and status", shown(only_below(a, prefixes)));
}

INSTANTIATE_TEST_SUITE_P(Data, Sets, ::testing::ValuesIn(cases("fieldset/tests/data/sets")),
                         case_name);

TEST(Fields, DepthHasALimit) {
  json::Value fields = json::Value::object();
  for (int i = 0; i < 200; ++i) fields = json::Value::object({{"f:a", fields}});
  EXPECT_FALSE(parse_fields(fields));
}

RC_GTEST_PROP(SetProperty, LawsOfSets, ()) {
  const Set a = some_set(), b = some_set(), c = some_set();
  RC_ASSERT(union_of(a, b) == union_of(b, a));
  RC_ASSERT(union_of(a, union_of(b, c)) == union_of(union_of(a, b), c));
  RC_ASSERT(union_of(a, a) == a);
  RC_ASSERT(union_of(a, Set()) == a);
  RC_ASSERT(intersection(a, b) == intersection(b, a));
  RC_ASSERT(intersection(a, a) == a);
  RC_ASSERT(intersection(a, union_of(b, c)) == union_of(intersection(a, b), intersection(a, c)));
  RC_ASSERT(difference(a, a).empty());
  RC_ASSERT(union_of(difference(a, b), intersection(a, b)) == a);
  RC_ASSERT(intersection(difference(a, b), b).empty());
  RC_ASSERT(difference(difference_below(a, b), difference(a, b)).empty());
  RC_ASSERT(difference(leaves(a), a).empty());
  RC_ASSERT(leaves(leaves(a)) == leaves(a));
  RC_ASSERT(union_of(a, b).size() == a.size() + b.size() - intersection(a, b).size());
}

RC_GTEST_PROP(SetProperty, MembersAreWhatWasInserted, ()) {
  std::vector<Path> paths;
  Set set;
  for (int i = *rc::gen::inRange(0, 10); i > 0; --i) paths.push_back(some_path());
  for (const Path& path : paths) set.insert(path);
  for (const Path& path : paths) RC_ASSERT(set.has(path));
  std::size_t count = 0;
  set.visit([&](const Path& path) {
    ++count;
    RC_ASSERT(std::find(paths.begin(), paths.end(), path) != paths.end());
  });
  RC_ASSERT(count == set.size());
}

RC_GTEST_PROP(SetProperty, WrittenSetsAreChangedAsSetsAre, ()) {
  const Set a = some_set(), b = some_set();
  RC_ASSERT(fields_without(to_fields(a), b) == to_fields(difference(a, b)));
  RC_ASSERT(shared_with_fields(b, to_fields(a)) == intersection(a, b));
}

RC_GTEST_PROP(SetProperty, ReadsWhatItWrites, ()) {
  const Set set = some_set();
  const json::Value fields = to_fields(set);
  RC_ASSERT(*parse_fields(fields) == set);
  RC_ASSERT(*parse_fields(*json::parse(json::print(fields))) == set);
}

}  // namespace
}  // namespace portico::fieldset
