#include "reflector/reflector.h"

#include <algorithm>

namespace portico::reflector {

using json::Value;

namespace {

constexpr const char* kInitialEventsEnd = "k8s.io/initial-events-end";
constexpr int kMostDoublings = 16;

std::string version_of(const Value& object) {
  const Value& version = object["metadata"]["resourceVersion"];
  return version.is_string() ? std::string(version.as_string()) : std::string();
}

// Whether they are equal except for their resourceVersion.
bool same(const Value& a, const Value& b) {
  if (a == b) return true;
  return a.with_at({"metadata", "resourceVersion"}, "") ==
         b.with_at({"metadata", "resourceVersion"}, "");
}

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : std::string();
}

}  // namespace

bool ends_initial_events(const Value& bookmark) {
  const Value& mark = bookmark["metadata"]["annotations"][kInitialEventsEnd];
  return mark.is_string() && mark.as_string() == "true";
}

struct Machine {
  using Phase = State::Phase;

  State& state;
  Step& out;
  Instant now;
  double jitter;

  static State::Key key_of(const Value& object) {
    return {text_of(object["metadata"]["namespace"]), text_of(object["metadata"]["name"])};
  }

  void put(Value object) {
    auto [at, fresh] = state.known_.try_emplace(key_of(object), object);
    if (fresh) {
      out.changes.push_back({News::kAdded, std::move(object), Value()});
      return;
    }
    if (at->second == object) return;
    const News news = same(at->second, object) ? News::kRenewed : News::kModified;
    Value previous = std::exchange(at->second, object);
    out.changes.push_back({news, std::move(object), std::move(previous)});
  }

  void take(const Value& object) {
    const auto at = state.known_.find(key_of(object));
    if (at == state.known_.end()) return;
    Value previous = std::move(at->second);
    state.known_.erase(at);
    out.changes.push_back({News::kDeleted, object, std::move(previous)});
  }

  void list() {
    state.arriving_.clear();
    if (state.settings_.streaming && !std::exchange(state.pages_next_, false)) {
      open({.version = "", .initial_events = true}, Phase::kStreaming);
      return;
    }
    state.phase_ = Phase::kListing;
    out.request = List{};
  }

  // The initial events may never come, so the objects are listed instead.
  void list_pages(bool remember) {
    if (remember) state.settings_.streaming = false;
    state.pages_next_ = true;
    list();
  }

  void watch() { open({.version = state.version_}, Phase::kWatching); }

  void watch_again() {
    if (state.settings_.resumes)
      watch();
    else
      list();
  }

  void open(Watch request, Phase phase) {
    state.phase_ = phase;
    state.opened_ = now;
    state.heard_ = false;
    out.request = std::move(request);
  }

  void wait(Phase then, int& failures, std::optional<std::chrono::milliseconds> at_least) {
    const int doublings = std::min(failures++, kMostDoublings);
    const std::chrono::milliseconds planned =
        std::min(state.settings_.most_wait, state.settings_.least_wait * (1 << doublings));
    const auto shaken = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::duration<double, std::milli>(planned) * (0.5 + jitter));
    state.phase_ = then;
    out.request = Wait{std::max(shaken, at_least.value_or(shaken))};
  }

  void say_version() { out.version = state.version_; }
  bool lasted() const { return now - state.opened_ >= state.settings_.short_watch; }

  // All existing objects have arrived.
  void replace(std::string version) {
    for (auto at = state.known_.begin(); at != state.known_.end();) {
      const auto here = at++;
      if (!state.arriving_.contains(here->first)) take(Value(here->second));
    }
    for (auto& [key, object] : state.arriving_) put(std::move(object));
    state.arriving_.clear();
    state.version_ = std::move(version);
    state.list_failures_ = 0;
    out.complete = true;
  }

  void on(const Begin&) {
    if (state.phase_ == Phase::kIdle) list();
  }

  void on(ListPage& page) {
    if (state.phase_ != Phase::kListing) return;
    for (Value& object : page.objects) {
      State::Key key = key_of(object);
      state.arriving_.insert_or_assign(std::move(key), std::move(object));
    }
    if (!page.next.empty()) {
      out.request = List{page.next};
      return;
    }
    replace(page.version);
    watch();
  }

  void on(ListFailed& failed) {
    if (state.phase_ != Phase::kListing) return;
    const bool between_pages = !state.arriving_.empty() && failed.error.reason == Reason::kExpired;
    out.problem = std::move(failed.error);
    state.arriving_.clear();
    // The pages were read too slowly. Retry once immediately; the next attempt may be fast enough.
    if (between_pages && state.list_failures_ == 0) {
      ++state.list_failures_;
      out.request = List{};
      return;
    }
    wait(Phase::kWaitingToList, state.list_failures_, failed.retry_after);
  }

  void on(WatchEvent& event) {
    if (state.phase_ != Phase::kWatching && state.phase_ != Phase::kStreaming) return;
    state.heard_ = true;
    std::string version = version_of(event.object);
    if (state.phase_ == Phase::kStreaming) {
      if (event.type == EventType::kBookmark) {
        if (!ends_initial_events(event.object)) return;
        replace(std::move(version));
        state.phase_ = Phase::kWatching;
      } else if (event.type == EventType::kDeleted) {
        state.arriving_.erase(key_of(event.object));
      } else {
        State::Key key = key_of(event.object);
        state.arriving_.insert_or_assign(std::move(key), std::move(event.object));
      }
      return;
    }
    state.watch_failures_ = 0;
    if (!version.empty()) state.version_ = std::move(version);
    if (event.type == EventType::kDeleted)
      take(event.object);
    else if (event.type != EventType::kBookmark)
      put(std::move(event.object));
  }

  void on(WatchFailed& failed) {
    if (state.phase_ != Phase::kWatching && state.phase_ != Phase::kStreaming) return;
    const bool streaming = state.phase_ == Phase::kStreaming;
    const Code code = failed.error.code;
    const Reason reason = failed.error.reason;
    const bool expired = reason == Reason::kExpired;
    if (streaming && code == Code::kInvalid) {
      // Either the server does not support it, or the list will fail too and be the problem.
      list_pages(reason != Reason::kForbidden && reason != Reason::kUnauthorized);
      return;
    }
    out.problem = std::move(failed.error);
    if (streaming) {
      state.pages_next_ = true;
      wait(Phase::kWaitingToList, state.list_failures_, failed.retry_after);
      return;
    }
    if (lasted()) state.watch_failures_ = 0;
    // An expired version does not come back. The first time is normal, so list again at once.
    if (expired && state.watch_failures_ == 0) {
      ++state.watch_failures_;
      list();
      return;
    }
    wait(expired ? Phase::kWaitingToList : Phase::kWaitingToWatch, state.watch_failures_,
         failed.retry_after);
  }

  void on(const NoInitialEvents& none) {
    if (state.phase_ == Phase::kStreaming) list_pages(none.remember);
  }

  void on(const WatchEnded&) {
    if (state.phase_ == Phase::kStreaming) {
      state.pages_next_ = true;
      wait(Phase::kWaitingToList, state.list_failures_, std::nullopt);
    } else if (state.phase_ == Phase::kWatching) {
      if (!lasted() && !state.heard_) {
        wait(Phase::kWaitingToWatch, state.watch_failures_, std::nullopt);
        return;
      }
      state.watch_failures_ = 0;
      watch_again();
    }
  }

  void on(const WaitOver&) {
    if (state.phase_ == Phase::kWaitingToList) list();
    if (state.phase_ == Phase::kWaitingToWatch) watch_again();
  }
};

Step step(State state, Input input, Instant now, double jitter) {
  Step out{.state = std::move(state)};
  Machine machine{out.state, out, now, jitter};
  std::visit([&](auto& one) { machine.on(one); }, input);
  machine.say_version();
  return out;
}

}  // namespace portico::reflector
