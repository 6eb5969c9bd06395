#include "fieldset/typed.h"

#include <gtest/gtest.h>

#include "fieldset/tests/support.h"
#include "testing/cases.h"

namespace portico::fieldset {
namespace {

using json::Value;
using portico::testing::Case;
using portico::testing::case_name;
using portico::testing::cases;

class Typed : public ::testing::TestWithParam<Case> {};

/// Checks `part` and lists its fields; with `value`, also its differences from `part` and their
/// merge; with `set` (FieldsV1), `part` without that set.
TEST_P(Typed, MatchesItsFile) {
  const Case& one = GetParam();
  const ObjectType type = type_of(one["schema"]);
  const Value part = read(one["part"]);
  const auto checked = check(part, type.root());
  std::string out = "check: " + (checked ? "fits" : checked.error().text()) + "\n";
  out += "fields:\n" + fields_of(part, type.root()).text();
  if (one.has("value")) {
    const Value value = read(one["value"]);
    const Changes found = changes(value, part, type.root());
    out += "removed:\n" + found.removed.text() + "modified:\n" + found.modified.text() +
           "added:\n" + found.added.text();
    const Value both = merged(value, part, type.root());
    out += "merged: " + json::print(both) + "\n";
    EXPECT_EQ(merged(both, part, type.root()), both) << "merged twice";
    EXPECT_TRUE(changes(both, both, type.root()).empty());
  }
  if (one.has("set")) {
    const Set set = *parse_fields(*json::parse(one["set"]));
    out += "declared:\n" + with_declared(set, type.root()).text();
    out += "reconciled:\n" + reconciled(set, type.root()).text();
    out += "without: " + json::print(without(part, set, type.root())) + "\n";
  }
  one.expect("want", out);
}

INSTANTIATE_TEST_SUITE_P(Data, Typed, ::testing::ValuesIn(cases("fieldset/tests/data/typed")),
                         case_name);

TEST(Typed, WhatDoesNotChangeIsShared) {
  const Value value = read("{spec: {a: {b: [1, 2, 3]}, c: a text that is longer than inline}}");
  const Value part = read("{spec: {a: {b: [1, 2, 3]}}}");
  EXPECT_TRUE(merged(value, part, ObjectType().root()).same_as(value));
}

}  // namespace
}  // namespace portico::fieldset
