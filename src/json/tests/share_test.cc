#include "json/share.h"

#include <gtest/gtest.h>

#include "json/tests/random_value.h"
#include "json/text.h"

namespace portico::json {
namespace {

Value value_of(const char* text) { return *parse(text); }

TEST(Share, WhatIsEqualIsKeptOnce) {
  const Value previous =
      value_of(R"({"spec": {"image": "registry.example.com/web:1", "args": ["a"]},
                                      "status": {"conditions": [{"type": "Ready"}, {"type": "Stalled"}]}})");
  const Value next = value_of(R"({"spec": {"image": "registry.example.com/web:1", "args": ["a"]},
                                  "status": {"conditions": [{"type": "Ready"}, {"type": "Failed"}, {"type": "Stalled"}],
                                             "observedGeneration": 2}})");
  const Value shared = share(next, previous);
  EXPECT_EQ(shared, next);
  EXPECT_TRUE(shared["spec"].same_as(previous["spec"]));
  const Value &conditions = shared["status"]["conditions"],
              &before = previous["status"]["conditions"];
  EXPECT_TRUE(conditions[std::size_t{0}].same_as(before[std::size_t{0}]));
  EXPECT_FALSE(conditions[std::size_t{1}].same_as(before[std::size_t{1}]));
  EXPECT_TRUE(share(value_of(print(previous).c_str()), previous).same_as(previous));
}

TEST(Share, AnotherTypeOrFewerItemsAreNotShared) {
  for (const auto& [next, previous] : {std::pair(R"({"a": 1})", R"([1])"),
                                       {R"([1])", R"({"0": 1})"},
                                       {R"([])", R"([1])"},
                                       {R"({})", R"({"a": 1})"},
                                       {R"({"a": 1})", R"({"a": 1.0})"},
                                       {R"(null)", R"({})"},
                                       {R"({"b": [1]})", R"({"a": [1]})"},
                                       {R"([[1, 2]])", R"([[1]])"}})
    EXPECT_EQ(print(share(value_of(next), value_of(previous))), print(value_of(next)));
}

TEST(Share, RandomValuesStayEqual) {
  RandomValues random(1);
  Value previous;
  for (int i = 0; i < 2000; ++i) {
    const Value next = random.value();
    EXPECT_EQ(share(next, previous), next);
    // The usual case: much is equal, something is not.
    const Value pair = Value::object({{"kept", previous}, {"new", next}}),
                before =
                    Value::object({{"kept", value_of(print(previous).c_str())}, {"new", previous}});
    const Value shared = share(pair, before);
    EXPECT_EQ(shared, pair);
    EXPECT_TRUE(share(shared, before).same_as(shared)) << "there is no more to share";
    previous = next;
  }
}

}  // namespace
}  // namespace portico::json
