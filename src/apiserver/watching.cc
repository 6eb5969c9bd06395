#include "apiserver/watching.h"

#include <algorithm>
#include <utility>

#include "apiserver/internal/channel.h"
#include "apiserver/pump.h"

namespace portico::apiserver {

using json::Value;

namespace {

/// Starts one watch.
class Beginning {
 public:
  Beginning(const WatchWorld& world, WatchRequest request)
      : world_(world), request_(std::move(request)) {}

  void start(std::shared_ptr<http::Stream> stream) const {
    const auto listener = std::make_shared<Listener>();
    listener->stream = std::move(stream);
    listener->bookmarks = request_.bookmarks;
    const auto channel =
        world_.channels.of(world_.registry, world_.pump, world_.printed, request_.sight);
    // Keeps both alive until the stream is closed.
    listener->stream->on_close([channel, listener] { channel->leave(listener); });
    if (request_.refusal) return fail(*listener->stream, *request_.refusal);
    if (!write_first(*listener)) return;
    // If `from` is in the future, events before it are not sent.
    listener->begin = std::min(listener->from, world_.registry.version());
    channel->join(listener);
    if (request_.timeout.count() > 0)
      later(world_.pump, request_.timeout, channel, listener, &Channel::end);
    if (request_.bookmarks) bookmark_later(world_.pump, channel, listener);
  }

 private:
  // Writes the initial objects if the client wants them; false if the stream has ended.
  bool write_first(Listener& listener) const {
    http::Stream& stream = *listener.stream;
    if (request_.from && !request_.initial_events) {
      listener.from = *request_.from;
      return true;
    }
    const auto all = world_.registry.list(request_.sight.query);
    if (!all) return refuse(stream, kubeapi::status_error_of(all.error()));
    listener.from = all->version;
    for (const Value& object : all->objects) {
      if (!request_.sight.filter.matches_rest(object)) continue;
      const auto shape = request_.sight.shape(object);
      if (!shape) return refuse(stream, shape.error());
      if (!stream.write(event_text("ADDED", *shape))) return false;
    }
    if (request_.initial_events && request_.bookmarks)
      return stream.write(event_text("BOOKMARK", request_.sight.bookmark(listener.from, true)));
    return true;
  }

  static bool refuse(http::Stream& stream, const kubeapi::StatusError& refusal) {
    fail(stream, refusal);
    return false;
  }

  using Ask = void (Channel::*)(const std::shared_ptr<Listener>&);
  static void later(Pump& pump, std::chrono::seconds wait, const std::shared_ptr<Channel>& channel,
                    const std::shared_ptr<Listener>& listener, Ask ask) {
    pump.at(std::chrono::steady_clock::now() + wait,
            [channel = std::weak_ptr(channel), listener = std::weak_ptr(listener), ask] {
              const auto its = channel.lock();
              const auto asking = listener.lock();
              if (its && asking) ((*its).*ask)(asking);
            });
  }

  // Does not keep listeners that have left.
  static void bookmark_later(Pump& pump, const std::shared_ptr<Channel>& channel,
                             const std::shared_ptr<Listener>& listener) {
    pump.at(std::chrono::steady_clock::now() + std::chrono::minutes(1),
            [&pump, channel = std::weak_ptr(channel), listener = std::weak_ptr(listener)] {
              const auto its = channel.lock();
              const auto asking = listener.lock();
              if (!its || !asking) return;
              its->bookmark(asking);
              bookmark_later(pump, its, asking);
            });
  }

  WatchWorld world_;
  WatchRequest request_;
};

}  // namespace

http::Streaming watch(const WatchWorld& world, WatchRequest request, http::Response head) {
  auto beginning = std::make_shared<const Beginning>(world, std::move(request));
  return {std::move(head), [beginning](std::shared_ptr<http::Stream> stream) {
            beginning->start(std::move(stream));
          }};
}

}  // namespace portico::apiserver
