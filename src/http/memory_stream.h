// A Stream in memory that the caller reads from, for handlers called without a server.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "http/message.h"

namespace portico::http {

class MemoryStream : public Stream {
 public:
  explicit MemoryStream(std::size_t most_bytes = 16u << 20) : most_(most_bytes) {}

  bool write(Chunk chunk) override;
  void end() override;
  std::size_t waiting() const override;
  /// `closed` is called by read() and close(), on their thread.
  void on_close(std::function<void()> closed) override;
  void on_room(std::function<void()> room) override;

  /// Waits for chunks or the end, until the deadline; returns all chunks joined, or "" at the end.
  std::string read(std::chrono::steady_clock::time_point deadline);
  /// The stream has ended and everything was read.
  bool is_over() const;
  /// The reader disconnects.
  void close();

 private:
  struct State {
    std::vector<Chunk> chunks;
    std::size_t bytes = 0;
    bool ended = false, closed = false, told = false;
    std::function<void()> on_close, on_room;
  };
  void tell_close();

  std::size_t most_;
  Monitor<State> state_;
};

}  // namespace portico::http
