// A thread pool for short jobs, immediate or timed; it writes the streams of watches.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "base/monitor.h"

namespace portico::apiserver {

/// Jobs must not block. Thread-safe.
class Pump {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Job = std::function<void()>;

  explicit Pump(std::size_t threads = 2);
  ~Pump();  // drops jobs that have not started

  void post(Job job);
  void at(Time when, Job job);

 private:
  struct State {
    std::deque<Job> jobs;
    std::multimap<Time, Job> later;
    bool stopping = false;
  };
  void run();

  std::size_t count_;  // number of threads
  Monitor<State> state_;
  std::vector<std::thread> threads_;
};

}  // namespace portico::apiserver
