// Threads that run short jobs as they come or when it is time: what watches are written by.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "base/monitor.h"

namespace portico::apiserver {

/// Jobs may not block. Safe from any thread.
class Pump {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Job = std::function<void()>;

  explicit Pump(std::size_t threads = 2);
  ~Pump();  // jobs that have not begun are dropped

  void post(Job job);
  void at(Time when, Job job);

 private:
  struct State {
    std::deque<Job> jobs;
    std::multimap<Time, Job> later;
    bool stopping = false;
  };
  void run();

  std::size_t count_;  // of threads
  Monitor<State> state_;
  std::vector<std::thread> threads_;
};

}  // namespace portico::apiserver
