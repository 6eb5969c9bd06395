// Who is told when something happens, for as long as they listen.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/guarded.h"

namespace portico {

/// Safe from any thread.
template <class... Args>
class Listeners {
 public:
  /// It may only take note: others wait meanwhile.
  using Call = std::function<void(const Args&... args)>;

  /// The call is made as long as this is kept, and not any more when its destructor returns.
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

  void tell(const Args&... args) {
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
