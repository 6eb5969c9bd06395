// Case files of writes: the results, and the events that a watch saw. See data/writes.
#include <gtest/gtest.h>

#include "store/tests/write_script.h"
#include "testing/cases.h"

namespace portico::store {
namespace {

class Writes : public ::testing::TestWithParam<testing::Case> {};

/// Generates the same uids and names each time; a fork continues where its store was.
struct Repeatable {
  ManualClock clock;
  std::uint64_t random = 0;
  std::unique_ptr<registry::Registry> store =
      open_or_die({.clock = &clock, .random = [this] { return ++random * 0x9e3779b97f4a7c15u; }});
};

std::vector<registry::Event> events_of(registry::Registry& registry,
                                       registry::ResourceVersion from = 1) {
  return *registry.watch({}, from)->next(std::chrono::milliseconds(0));
}

TEST_P(Writes, GiveWhatTheFileSays) {
  Repeatable here;
  ASSERT_EQ(here.store->version(), 1u);
  const std::string results = WriteScript(*here.store, here.clock).run(GetParam()["writes"]);
  const auto events = events_of(*here.store);
  for (const registry::Event& event : events)
    EXPECT_EQ(krm::resource_version_of(event.object), event.version);
  GetParam().expect("want", results + WriteScript::shown(events));
}

// The beginning of the script runs in a store, the rest in a fork of it.
TEST_P(Writes, GiveTheSameInAFork) {
  const std::string script = GetParam()["writes"];
  std::size_t split = 0;
  while (script.compare(split, 7, "create ") == 0) split = script.find('\n', split) + 1;
  Repeatable here, direct;
  WriteScript both(*here.store, here.clock);
  std::string results = both.run(script.substr(0, split));
  const auto before = events_of(*here.store);
  const auto fork = *here.store->fork();
  both.use(*fork);
  results += both.run(script.substr(split));
  auto events = before;
  for (registry::Event& event : events_of(*fork, here.store->version()))
    events.push_back(std::move(event));

  EXPECT_EQ(results, WriteScript(*direct.store, direct.clock).run(script));
  EXPECT_EQ(WriteScript::shown(events), WriteScript::shown(events_of(*direct.store)));
  EXPECT_EQ(WriteScript::shown(events_of(*here.store)), WriteScript::shown(before))
      << "nothing of it reaches the store";
}

INSTANTIATE_TEST_SUITE_P(Data, Writes,
                         ::testing::ValuesIn(testing::cases("store/tests/data/writes")),
                         testing::case_name);

}  // namespace
}  // namespace portico::store
