#include "apiserver/watching.h"

#include <atomic>

#include "base/mutex.h"
#include "json/text.h"

namespace portico::apiserver {

using json::Value;
using registry::Change;
using registry::Event;
using registry::ResourceVersion;

namespace {

http::Chunk chunk_of(const char* type, const Value& object) {
  return std::make_shared<const std::string>(
      json::print(Value::object({{"object", object}, {"type", type}})) + "\n");
}

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

// What a watch makes of an event where the filter asks for more than the registry knows.
std::optional<Event> seen(const kubeapi::Filter& filter, const Event& event) {
  if (filter.rest_empty()) return event;
  const bool now = filter.matches_rest(event.object);
  if (event.change != Change::kModified) return now ? std::optional(event) : std::nullopt;
  const bool before = filter.matches_rest(event.previous);
  if (now && before) return event;
  if (!now && !before) return std::nullopt;
  Event out = event;
  out.change = now ? Change::kAdded : Change::kDeleted;
  if (!now)  // its last state that was asked for, at the version of the change
    out.object =
        event.previous.with_at({"metadata", "resourceVersion"}, std::to_string(event.version));
  return out;
}

// Owned by the callbacks of its stream and its watch; drained by one thread at a time.
class Feed : public std::enable_shared_from_this<Feed> {
 public:
  Feed(registry::Registry& registry, Pump& pump, PrintedEvents& printed, WatchRequest request)
      : registry_(registry), pump_(pump), printed_(printed), request_(std::move(request)) {}

  void start(std::shared_ptr<http::Stream> stream) {
    alive_ = shared_from_this();
    stream_ = std::move(stream);
    const std::weak_ptr<Feed> self = weak_from_this();
    stream_->on_close([self] {
      if (const auto feed = self.lock()) feed->close();
    });
    if (request_.refusal) {
      fail(*request_.refusal);
      return;
    }
    if (!write_first()) return;
    const auto on_ready = [self, &pump = pump_] {
      pump.post([self] {
        if (const auto feed = self.lock()) feed->drain();
      });
    };
    {
      const MutexLock lock(mutex_);
      if (closed_) return;
      // From a version of the future: what comes before it is not told.
      const ResourceVersion begin = std::min(from_, registry_.version());
      watch_ = registry_.watch(request_.query, begin, on_ready);
    }
    if (request_.timeout.count() > 0)
      pump_.at(std::chrono::steady_clock::now() + request_.timeout, [self] {
        if (const auto feed = self.lock()) feed->end();
      });
    if (request_.bookmarks) bookmark_later();
    drain();
  }

 private:
  // What there is, where the client wants it; false where the stream is over.
  bool write_first() {
    if (request_.from && !request_.initial_events) {
      from_ = *request_.from;
      return true;
    }
    const auto all = registry_.list(request_.query);
    if (!all) return fail(all.error());
    from_ = all->version;
    for (const Value& object : all->objects)
      if (request_.filter.matches_rest(object) && !write("ADDED", object)) return false;
    if (request_.initial_events && request_.bookmarks)
      return stream_->write(chunk_of("BOOKMARK", request_.bookmark(from_, true)));
    return true;
  }

  bool write(const char* type, const Value& object) {
    const auto shape = request_.shape(object);
    return shape ? stream_->write(chunk_of(type, *shape)) : fail(shape.error());
  }

  bool fail(const Error& error) { return fail(kubeapi::refusal_of(error)); }
  bool fail(const kubeapi::Refusal& refusal) {
    stream_->write(chunk_of("ERROR", kubeapi::to_status(refusal)));
    stream_->end();
    return false;
  }

  void drain() {
    // Another thread that drains sees that there is more.
    if (!watch_ || waiting_.fetch_add(1) != 0) return;
    do {
      waiting_ = 1;
      for (;;) {
        auto events = watch_->next(std::chrono::milliseconds(0));
        if (!events) {
          fail(events.error());
          return;
        }
        if (events->empty()) break;
        for (const Event& event : *events) {
          if (event.version <= from_) continue;
          if (const auto one = seen(request_.filter, event))
            if (!write(*one)) return;
        }
      }
    } while (waiting_.fetch_sub(1) != 1);
  }

  bool write(const Event& event) {
    const http::Chunk text = text_of(event);
    return text->empty() ? write(name(event.change), event.object) : stream_->write(text);
  }

  // A version stands for one change of one object, which a filter may show as another change. Empty
  // where it cannot be said in this form.
  http::Chunk text_of(const Event& event) {
    const char* const type = name(event.change);
    const auto print = [&] {
      const auto shape = request_.shape(event.object);
      return shape ? chunk_of(type, *shape) : std::make_shared<const std::string>();
    };
    if (request_.form.empty()) return print();
    return printed_.get(fmt::format("{} {} {}", event.version, type, request_.form), print);
  }

  void bookmark_later() {
    pump_.at(std::chrono::steady_clock::now() + std::chrono::minutes(1), [self = weak_from_this()] {
      const auto feed = self.lock();
      if (!feed) return;
      if (!feed->watch_) return;
      feed->drain();
      const bool open = feed->stream_->write(
          chunk_of("BOOKMARK", feed->request_.bookmark(feed->watch_->version(), false)));
      if (open) feed->bookmark_later();
    });
  }

  void end() {
    drain();
    if (request_.bookmarks && watch_)
      stream_->write(chunk_of("BOOKMARK", request_.bookmark(watch_->version(), false)));
    stream_->end();
  }

  // The last call of the stream: what keeps this alive goes.
  void close() {
    std::shared_ptr<Feed> last;
    const MutexLock lock(mutex_);
    closed_ = true;
    if (watch_) watch_->stop();
    last = std::move(alive_);
  }

  registry::Registry& registry_;
  Pump& pump_;
  PrintedEvents& printed_;
  WatchRequest request_;
  ResourceVersion from_ = 0;
  std::shared_ptr<http::Stream> stream_;
  std::unique_ptr<registry::Watch> watch_;  // set once, before anything drains it
  std::atomic<int> waiting_ = 0;
  Mutex mutex_;
  bool closed_ PORTICO_GUARDED_BY(mutex_) = false;
  std::shared_ptr<Feed> alive_;  // until the stream is closed
};

}  // namespace

kubeapi::Reply<http::Streaming> watch(registry::Registry& registry, Pump& pump,
                                      PrintedEvents& printed, WatchRequest request,
                                      http::Response head) {
  auto feed = std::make_shared<Feed>(registry, pump, printed, std::move(request));
  return http::Streaming{std::move(head), [feed](std::shared_ptr<http::Stream> stream) {
                           feed->start(std::move(stream));
                         }};
}

}  // namespace portico::apiserver
