#include "engine/what_changed.h"

#include <gtest/gtest.h>

#include "api/kinds.h"
#include "krm/object.h"
#include "store/embedded.h"
#include "testing/cases.h"
#include "variants/decide.h"

namespace portico::engine {
namespace {

using controllers::PendingWork;
using json::Value;

std::vector<Value> objects_of(std::string_view text) {
  std::vector<Value> out;
  auto parsed = krm::Object::parse_file(text);
  EXPECT_TRUE(parsed) << parsed.error().text();
  if (!parsed) return out;
  for (const krm::Object& object : *parsed)
    out.push_back(object.value()
                      .with_at({"metadata", "namespace"}, "default")
                      .with_at({"metadata", "uid"}, krm::name_of(object.value()))
                      .with_at({"metadata", "resourceVersion"}, "1"));
  return out;
}

std::string text_of(const controllers::Plan& plan) {
  std::string out;
  for (const controllers::PlannedSet& set : plan.sets)
    for (const variants::SetAction& action : set.actions)
      out += fmt::format("set {}: {} {} -> {}/{}\n", set.key.name, variants::name(action.verb),
                         action.object->metadata.name, action.key.repo, action.key.package);
  for (const controllers::PlannedVariant& one : plan.variants) {
    out += fmt::format("variant {} -> {}/{}: {}", one.key.name, one.downstream.repo,
                       one.downstream.package, variants::name(one.decision.step));
    if (!one.revision.empty()) out += fmt::format(" {} {}", one.revision, one.workspace);
    for (const controllers::Fate& fate : controllers::fates_of(one.decision.step))
      out += fmt::format(" {} {}", fate.word, fate.revision);
    out += one.removed ? ", is gone\n" : "\n";
  }
  for (const controllers::PlannedError& error : plan.errors)
    out += fmt::format("error {}: {}{}{}\n", error.key.name, error.message,
                       error.before ? ", as before" : "", error.asked ? ", asked for" : "");
  return out;
}

class WhatChanged : public ::testing::TestWithParam<testing::Case> {};
INSTANTIATE_TEST_SUITE_P(Data, WhatChanged,
                         ::testing::ValuesIn(testing::cases("engine/tests/data/what_changed")),
                         testing::case_name);

TEST_P(WhatChanged, IsWhatItsFileWants) {
  const std::vector<Value> earlier = objects_of(GetParam()["before"]),
                           later = objects_of(GetParam()["now"]);
  const auto before = store::open_in_memory({}, earlier, 1),
             now = store::open_in_memory({}, later, 1);
  ASSERT_TRUE(before && now);
  std::map<krm::ObjectKey, PendingWork::Key> keys;
  for (const auto* const side : {&earlier, &later})
    for (const Value& object : *side)
      if (const krm::ObjectKey key = krm::object_key(object); key.type != api::revision_kind())
        keys[key];
  const auto plan = what_changed(**before, **now, keys, {});
  ASSERT_TRUE(plan) << plan.error().text();
  GetParam().expect("want", text_of(*plan));
}

}  // namespace
}  // namespace portico::engine
