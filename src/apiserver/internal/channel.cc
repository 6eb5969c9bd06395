#include "apiserver/internal/channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "json/text.h"

namespace portico::apiserver {

using json::Value;
using registry::Change;
using registry::Event;
using registry::ResourceVersion;

namespace {

const char* name(Change change) {
  switch (change) {
    case Change::kAdded:
      return "ADDED";
    case Change::kModified:
      return "MODIFIED";
    case Change::kDeleted:
      return "DELETED";
  }
  return "";
}

}  // namespace

http::Chunk event_text(const char* type, const Value& object) {
  return std::make_shared<const std::string>(
      json::print(Value::object({{"object", object}, {"type", type}})) + "\n");
}

void fail(http::Stream& stream, const kubeapi::StatusError& refusal) {
  stream.write(event_text("ERROR", kubeapi::to_status(refusal)));
  stream.end();
}

void Channel::join(const std::shared_ptr<Listener>& listener) {
  state_.with([&](State& state) { state.joining.push_back(listener); });
  run();
}

void Channel::leave(const std::shared_ptr<Listener>& listener) {
  state_.with([&](State& state) {
    listener->has_left = true;
    std::erase(state.all, listener);
  });
}

void Channel::bookmark(const std::shared_ptr<Listener>& listener) {
  state_.with([&](State& state) { state.bookmarks.push_back(listener); });
  run();
}

void Channel::end(const std::shared_ptr<Listener>& listener) {
  state_.with([&](State& state) { state.ending.push_back(listener); });
  run();
}

registry::OnReady Channel::run_later() {
  return [self = weak_from_this(), &pump = pump_] {
    pump.post([self] {
      if (const auto channel = self.lock()) channel->run();
    });
  };
}

void Channel::run() {
  // If another thread is in run(), it sees the new count and continues.
  if (asked_.fetch_add(1) != 0) return;
  do {
    asked_ = 1;
    step();
  } while (asked_.fetch_sub(1) != 1);
}

void Channel::step() {
  // Take the requests first, so that they are served after the events that preceded them.
  State asked;
  state_.with([&](State& state) {
    asked.joining.swap(state.joining);
    asked.bookmarks.swap(state.bookmarks);
    asked.ending.swap(state.ending);
  });
  tell_all();
  tell_apart();
  for (const auto& listener : asked.joining) admit(listener);
  for (const auto& listener : asked.bookmarks) write_bookmark(*listener);
  for (const auto& listener : asked.ending) {
    if (listener->bookmarks) write_bookmark(*listener);
    listener->stream->end();
  }
}

Channel::Listeners Channel::listeners() const {
  return state_.with([](const State& state) { return state.all; });
}

void Channel::tell_all() {
  if (watch_ == nullptr) return;
  const auto drained = drain();
  if (drained) return;
  for (const auto& listener : listeners())
    if (listener->own == nullptr) give_up(listener, drained.error());
  watch_.reset();  // the next listener starts a new watch
}

Result<Done> Channel::drain() {
  for (;;) {
    PORTICO_TRY(const auto events, watch_->next(std::chrono::milliseconds(0)));
    if (events.empty()) return Done{};
    const Listeners all = listeners();
    for (const Event& each : events) {
      const auto event = seen(each);
      if (!event) continue;
      const auto text = text_of(*event);
      for (const auto& listener : all)
        if (listener->own == nullptr && event->version > listener->from) write(*listener, text);
    }
  }
}

void Channel::tell_apart() {
  if (!are_apart_) return;
  are_apart_ = false;
  for (const auto& listener : listeners()) {
    if (listener->own == nullptr) continue;
    are_apart_ = true;
    if (const auto drained = drain_own(*listener); !drained) give_up(listener, drained.error());
  }
}

Result<Done> Channel::drain_own(Listener& listener) {
  for (;;) {
    PORTICO_TRY(const auto events, listener.own->next(std::chrono::milliseconds(0)));
    if (events.empty()) return Done{};
    for (const Event& each : events)
      if (const auto event = seen(each); event && event->version > listener.from)
        write(listener, text_of(*event));
  }
}

void Channel::give_up(const std::shared_ptr<Listener>& listener, const Error& error) {
  fail(*listener->stream, kubeapi::status_error_of(error));
  leave(listener);
}

void Channel::admit(const std::shared_ptr<Listener>& listener) {
  const bool is_first = watch_ == nullptr;
  // The first listener determines where the watch begins.
  if (is_first)
    watch_ = registry_.watch(sight_.query, listener->begin, run_later());
  else if (const auto level = bring_level(*listener); !level)
    return give_up(listener, level.error());
  state_.with([&](State& state) {
    if (!listener->has_left) state.all.push_back(listener);
  });
  if (is_first) tell_all();
}

// A listener that begins before the channel's position gets the events in between from a watch of
// its own. If the registry depends on a remote system, they may not be available yet; the watch is
// then kept.
Result<Done> Channel::bring_level(Listener& listener) {
  const ResourceVersion there = watch_->version();
  if (listener.from >= there) return Done{};
  listener.own = registry_.watch(sight_.query, listener.from, run_later());
  PORTICO_DO(drain_own(listener));
  if (listener.own->version() < there) {
    are_apart_ = true;
    return Done{};
  }
  listener.from = listener.own->version();
  listener.own.reset();
  return Done{};
}

void Channel::write_bookmark(Listener& listener) {
  const registry::Watch* const watch = listener.own ? listener.own.get() : watch_.get();
  if (watch != nullptr)
    listener.stream->write(text_of_bookmark(std::max(listener.from, watch->version())));
}

void Channel::write(Listener& listener, const kubeapi::StatusOr<http::Chunk>& text) {
  if (text)
    listener.stream->write(*text);
  else
    fail(*listener.stream, text.error());
}

// The event as the watch sees it when its filter is stricter than the registry's query.
std::optional<Event> Channel::seen(const Event& event) const {
  const kubeapi::Filter& filter = sight_.filter;
  if (filter.rest_empty()) return event;
  const bool now = filter.matches_rest(event.object);
  if (event.change != Change::kModified) return now ? std::optional(event) : std::nullopt;
  const bool before = filter.matches_rest(event.previous);
  if (now && before) return event;
  if (!now && !before) return std::nullopt;
  Event out = event;
  out.change = now ? Change::kAdded : Change::kDeleted;
  if (!now)  // its last matching state, at the version of the change
    out.object =
        event.previous.with_at({"metadata", "resourceVersion"}, std::to_string(event.version));
  return out;
}

// A version identifies one change of one object, but a filter may turn it into another change type.
kubeapi::StatusOr<http::Chunk> Channel::text_of(const Event& event) {
  const char* const type = name(event.change);
  const auto print = [&]() -> kubeapi::StatusOr<http::Chunk> {
    PORTICO_TRY(const Value shape, sight_.shape(event.object));
    return event_text(type, shape);
  };
  if (sight_.form.empty()) return print();
  const http::Chunk text =
      printed_.get(fmt::format("{} {} {}", event.version, type, sight_.form), [&] {
        auto made = print();
        return made ? *std::move(made) : std::make_shared<const std::string>();
      });
  return text->empty() ? print() : text;  // empty: it cannot be shown in this form
}

http::Chunk Channel::text_of_bookmark(ResourceVersion version) {
  const auto print = [&] { return event_text("BOOKMARK", sight_.bookmark(version, false)); };
  if (sight_.form.empty()) return print();
  return printed_.get(fmt::format("{} BOOKMARK {}", version, sight_.form), print);
}

std::shared_ptr<Channel> Channels::of(registry::Registry& registry, Pump& pump,
                                      PrintedEvents& printed, const WatchScope& sight) {
  const auto make = [&] { return std::make_shared<Channel>(registry, pump, printed, sight); };
  if (sight.words.empty()) return make();
  return state_.with([&](State& state) {
    std::weak_ptr<Channel>& known = state.channels[sight.words];
    if (auto channel = known.lock()) return channel;
    auto channel = make();
    known = channel;
    if (state.channels.size() >= state.sweep_at) {
      std::erase_if(state.channels, [](const auto& each) { return each.second.expired(); });
      state.sweep_at = std::max<std::size_t>(64, 2 * state.channels.size());
    }
    return channel;
  });
}

}  // namespace portico::apiserver
