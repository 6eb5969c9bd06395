// Shared helpers of the store's tests.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "json/text.h"
#include "store/embedded.h"

namespace portico::store {

/// A clock that moves only when told to.
class ManualClock : public Clock {
 public:
  TimePoint now() const override { return TimePoint(std::chrono::milliseconds(now_)); }
  void move(std::chrono::milliseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_ = 1'700'000'000'000;
};

inline json::Value value(std::string_view text) { return *json::parse(text); }

/// {apiVersion: test/v1, kind: Thing, metadata: {name, namespace: default}, spec: {n}}
inline json::Value thing(std::string_view name, std::int64_t n = 0) {
  return json::Value::object({{"apiVersion", "test/v1"}, {"kind", "Thing"}})
      .with_at({"metadata", "name"}, name)
      .with_at({"metadata", "namespace"}, "default")
      .with_at({"spec", "n"}, n);
}

inline krm::ObjectKey thing_key(std::string_view name) {
  return {{"test", "Thing"}, "default", std::string(name)};
}

inline std::unique_ptr<registry::Registry> open_or_die(EmbeddedOptions options) {
  auto store = open_embedded(std::move(options));
  if (!store) {
    ADD_FAILURE() << store.error().text();
    std::abort();
  }
  return *std::move(store);
}

}  // namespace portico::store
