// A list of callbacks, each called on every event until its registration is destroyed.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/guarded.h"

namespace portico {

/// Thread-safe.
template <class... Args>
class Listeners {
 public:
  /// Must only record the event and return: the other listeners wait until it does.
  using Call = std::function<void(const Args&... args)>;

  /// Keeps the callback registered. Once the destructor has returned, the callback is never called
  /// again.
  class Listening {
   public:
    explicit Listening(Call call) : call_(std::make_shared<Guarded<Call>>(std::move(call))) {}
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening() {
      call_->with([](Call& call) { call = nullptr; });
    }

   private:
    friend Listeners;
    const std::shared_ptr<Guarded<Call>> call_;
  };

  std::unique_ptr<Listening> add(Call call) {
    auto out = std::make_unique<Listening>(std::move(call));
    all_.with([&](auto& all) {
      std::erase_if(all, [](const auto& one) { return one.expired(); });
      all.push_back(out->call_);
    });
    return out;
  }

  void notify(const Args&... args) {
    const auto all = all_.with([](const auto& now) { return now; });
    for (const auto& each : all)
      if (const auto one = each.lock())
        one->with([&](const Call& call) {
          if (call) call(args...);
        });
  }

 private:
  Guarded<std::vector<std::weak_ptr<Guarded<Call>>>> all_;
};

}  // namespace portico
