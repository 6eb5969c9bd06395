// A Stream that keeps what is written to it: the reader's end is the caller's. For handlers that
// are asked without a server.
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
  /// Called by read() and close(), on their thread.
  void on_close(std::function<void()> closed) override;
  void on_room(std::function<void()> room) override;

  /// Waits for chunks, or the end, until the deadline; what there is, joined, and "" at the end.
  std::string read(std::chrono::steady_clock::time_point deadline);
  /// Nothing more will come, and nothing is left to read.
  bool is_over() const;
  /// The reader goes away.
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
