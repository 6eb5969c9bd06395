#include "packages/lifecycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "krm/object.h"

namespace portico::packages {
namespace {

json::Value from_yaml(const std::string& text) { return krm::Object::parse(text)->value(); }

constexpr Transition kTransitions[] = {Transition::kPropose, Transition::kApprove,
                                       Transition::kReject, Transition::kProposeDeletion,
                                       Transition::kDelete};

const char* shown(Outcome outcome) {
  switch (outcome) {
    case Outcome::kProposed:
      return "Proposed";
    case Outcome::kPublished:
      return "Published";
    case Outcome::kDraft:
      return "Draft";
    case Outcome::kRestored:
      return "restored";
    case Outcome::kDeletionProposed:
      return "DeletionProposed";
    case Outcome::kGone:
      return "gone";
    case Outcome::kNothing:
      return "nothing";
  }
  return "";
}

struct Row {
  const char* lifecycle;
  std::int64_t revision;
  const char* outcomes[5];  // in the order of kTransitions; "": rejected
};

TEST(Lifecycle, TransitionTable) {
  // propose, approve, reject, propose-delete, delete
  constexpr Row kRows[] = {
      {"Draft", 0, {"Proposed", "", "", "", "gone"}},
      {"Proposed", 0, {"nothing", "Published", "Draft", "", "gone"}},
      {"Published", 3, {"", "", "", "DeletionProposed", ""}},
      {"DeletionProposed", 3, {"", "", "restored", "nothing", "gone"}},
      // The branch head can only be deleted, and directly.
      {"Published", -1, {"", "", "", "", "gone"}},
      {"Unheard of", 0, {"", "", "", "", ""}},
      {"", 0, {"", "", "", "", ""}},
  };
  for (const Row& row : kRows)
    for (std::size_t i = 0; i < std::size(kTransitions); ++i) {
      const auto result = outcome(kTransitions[i], row.lifecycle, row.revision);
      const std::string where = std::string(name(kTransitions[i])) + " " + row.lifecycle;
      EXPECT_EQ(std::string(result ? shown(*result) : ""), row.outcomes[i]) << where;
      if (!result) {
        EXPECT_EQ(result.error().code, Code::kInvalid) << where;
        EXPECT_FALSE(result.error().what.ends_with('.')) << result.error().what;
      }
    }
}

TEST(Lifecycle, UnmetGatesAreThoseWithoutATrueCondition) {
  const auto unmet = [](const char* yaml) { return unmet_gates(from_yaml(yaml)); };
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(unmet("{}"), IsEmpty());
  EXPECT_THAT(unmet(R"(
spec:
  readinessGates: [{conditionType: c}, {conditionType: a}, {conditionType: b}, {conditionType: d}]
status:
  conditions: [{type: a, status: "True"}, {type: b, status: "False"}, {type: c, status: Unknown}]
)"),
              ElementsAre("c", "b", "d"));
  EXPECT_THAT(unmet("{status: {conditions: [{type: a, status: 'False'}]}}"), IsEmpty());
}

}  // namespace
}  // namespace portico::packages
