// Handler threads and their request queues.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/monitor.h"
#include "http/handler.h"
#include "http/internal/exchange.h"
#include "http/internal/fair_line.h"
#include "http/server.h"

namespace portico::http::internal {

class Connection;

/// A request that waits for a handler, or is being handled.
struct Job {
  std::shared_ptr<Connection> connection;
  Step step;  // kRequest
  std::size_t share = 0;
  std::string flow = {};
};

/// Each share has its own threads: one from the start, more when that many requests are handled at
/// once. Thread-safe.
class Workers {
 public:
  /// kUnavailable if the system cannot start a thread for each share. `run` is called on those
  /// threads. If more threads cannot be started later, requests wait for the existing ones.
  static Result<std::unique_ptr<Workers>> start(const std::vector<Share>& shares,
                                                std::function<void(Job)> run);
  ~Workers() { stop(); }

  /// Returns a job that no longer fits in the queue: possibly this one.
  std::optional<Job> submit(const Place& place, Job job);
  /// Whether the share has room for another stream; if so, it counts until close_stream().
  bool open_stream(std::size_t share, const std::string& flow);
  void close_stream(std::size_t share, const std::string& flow);

  std::vector<ShareCounts> counts() const;
  /// Drops queued jobs and joins the threads.
  void stop();

 private:
  struct State {
    explicit State(const Share& share) : free(share.running), line(share.waiting) {}
    std::size_t free;       // unused part of share.running
    std::deque<Job> given;  // assigned to threads that have not woken up yet
    // Jobs that wait because no handler is free, or their flow is at its limit.
    FairLine<Job> line;
    std::size_t streams = 0;
    std::unordered_map<std::string, std::size_t> running_of, streams_of;  // by flow; none is 0
    std::uint64_t handled = 0, refused = 0;
    bool stopping = false;
    std::vector<std::thread> threads;  // grows to the highest number needed at once
  };
  struct Lane {
    explicit Lane(const Share& its) : share(its), state(its) {}
    Share share;
    Monitor<State> state;
  };
  explicit Workers(std::function<void(Job)> run) : run_(std::move(run)) {}
  void work(Lane& lane);
  /// Throws std::system_error if a thread cannot be started.
  void add_thread(Lane& lane, State& state);
  /// Whether more jobs are assigned than there are threads.
  static bool lacks_thread(const Lane& lane, const State& state);
  static std::optional<Job> take_given(State& state);
  static bool may_run(const Lane& lane, const State& state, const std::string& flow);

  std::function<void(Job)> run_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace portico::http::internal
