#include "registry/hub.h"

#include <gtest/gtest.h>

#include "krm/meta.h"

namespace portico::registry {
namespace {

using json::Value;
using std::chrono::milliseconds;

State with_another(State state) {
  const std::string name = "c" + std::to_string(state.version() + 1);
  const Value object =
      Value::object({{"apiVersion", "v1"},
                     {"kind", "ConfigMap"},
                     {"metadata", Value::object({{"name", name}, {"namespace", "default"}})}});
  const krm::ObjectKey key = krm::object_key(object);
  state.table.put(key, object);
  state.append({Change::kAdded, object, {}, state.version() + 1}, key);
  return state;
}

TEST(Hub, AWaitingWatchExpiresIfMoreIsPublishedAtOnceThanIsKept) {
  for (const std::size_t kept : {std::size_t{5}, std::size_t{4}}) {
    const auto hub = std::make_shared<Hub>(State{Table({}), {}, 0});
    const auto watch = watch_hub(hub, {}, 0, {});
    const auto none = watch->next(milliseconds(1));  // now it waits
    ASSERT_TRUE(none.ok());
    ASSERT_TRUE(none->empty());
    State next = *hub->state();
    for (int i = 0; i < 5; ++i) next = with_another(std::move(next));
    next.forget(5 - kept);
    hub->publish(std::move(next));
    const auto events = watch->next(milliseconds(1));
    if (kept == 5) {
      ASSERT_TRUE(events.ok());
      EXPECT_EQ(events->size(), 5u);
    } else {
      ASSERT_FALSE(events.ok());
      EXPECT_EQ(events.error().reason, Reason::kExpired);
    }
  }
}

}  // namespace
}  // namespace portico::registry
