// One connection of a server: an Exchange plus locking and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/guarded.h"
#include "http/internal/deadlines.h"
#include "http/internal/exchange.h"
#include "http/internal/reactor.h"
#include "http/internal/shared.h"
#include "http/internal/workers.h"

namespace portico::http::internal {

/// Thread-safe.
class Connection final : public Waiter,
                         public Expiring,
                         public std::enable_shared_from_this<Connection> {
 public:
  /// `client` is the key by which connections are counted.
  Connection(Shared& shared, Transport transport, Peer peer, std::string client);

  /// Returns false, with the connection closed, if the system cannot watch another socket.
  bool start();
  const std::string& client() const { return client_; }

  // Called by the Reactor, Deadlines and task lists.
  void readable() override;
  void writable() override;
  void expire(Instant now) override;
  void handshake();
  void flush();

  /// On a Workers thread: calls the handler and sends its answer.
  void run(Job job);

  /// The end of its idle time; nullopt if it is not idle.
  std::optional<Instant> idle_until() const;
  std::optional<Instant> waits_since() const;
  void wind_down();
  void close();

  // The stream that answers request `serial`.
  bool write(std::uint64_t serial, Chunk chunk);
  void end(std::uint64_t serial);
  std::size_t waiting(std::uint64_t serial) const;
  void on_close(std::uint64_t serial, std::function<void()> closed);
  void on_room(std::uint64_t serial, std::function<void()> room);

 private:
  using Call = std::shared_ptr<const std::function<void()>>;  // may be null
  struct OpenStream {
    std::uint64_t serial = 0;
    std::size_t share = 0;
    std::string flow = {};
    bool flushing = false;   // queued for a flush
    bool cut_off = false;    // too slow: a server thread will close it
    bool owes_room = false;  // data was written since on_room's last call
    bool in_room = false;    // on_room is being called
    Call closed = {}, room = {};
  };
  struct State {
    State(Transport transport, const ExchangeSettings& settings, Budget& body, Budget& unsent)
        : exchange(std::move(transport), settings, body, unsent) {}
    Exchange exchange;
    std::shared_ptr<const Peer> peer = {};
    std::unique_ptr<Watched> watched = {};
    std::unique_ptr<OpenStream> stream = {};
    bool reads = false, writes = false;  // active waits
    bool is_gone = false;                // removed from the roster
    OpenStream* stream_of(std::uint64_t serial) const {
      return stream && stream->serial == serial ? stream.get() : nullptr;
    }
  };

  /// Calls step(State&) under the lock, starts the waits that the exchange wants, and performs the
  /// Step that it returns.
  template <class F>
  void go(F&& step);
  void arm(State& state);
  void act(Step step);
  void ask(Step step);
  void refuse(Step step, int status, std::string why);
  void refuse(Step step);
  void respond(const Step& step, Response response, bool last);
  void stream(Step step, std::size_t share, const std::string& flow, const Streaming& streaming);
  void schedule_flush(OpenStream& stream);
  Call take_room(State& state);

  Shared& shared_;
  std::string client_;
  Guarded<State> state_;
};

}  // namespace portico::http::internal
