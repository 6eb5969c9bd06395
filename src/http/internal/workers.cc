#include "http/internal/workers.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace portico::http::internal {

Result<std::unique_ptr<Workers>> Workers::start(const std::vector<Share>& shares,
                                                std::function<void(Job)> run) {
  std::unique_ptr<Workers> workers(new Workers(std::move(run)));
  for (const Share& share : shares) workers->lanes_.push_back(std::make_unique<Lane>(share));
  try {
    for (const auto& lane : workers->lanes_)
      for (std::size_t i = 0; i < lane->share.running; ++i)
        lane->threads.emplace_back([self = workers.get(), its = lane.get()] { self->work(*its); });
  } catch (const std::system_error& error) {
    return unavailable("cannot start the threads of handlers: {}", error.what());
  }
  return workers;
}

std::optional<Job> Workers::submit(const Place& place, Job job) {
  const std::size_t index = std::min(place.share, lanes_.size() - 1);
  job.share = index;
  return lanes_[index]->state.change_for_one([&](State& state) -> std::optional<Job> {
    if (state.stopping) return std::nullopt;
    if (state.free > 0) {
      --state.free;
      state.given.push_back(std::move(job));
      return std::nullopt;
    }
    auto dropped = state.line.add(place.flow, std::move(job));
    if (dropped) ++state.refused;
    return dropped;
  });
}

void Workers::work(Lane& lane) {
  std::optional<Job> job;
  for (;;) {
    if (!job) {
      job =
          lane.state.wait([](const State& state) { return !state.given.empty() || state.stopping; },
                          [](State& state) -> std::optional<Job> {
                            if (state.given.empty()) return std::nullopt;
                            Job given = std::move(state.given.front());
                            state.given.pop_front();
                            return given;
                          });
      if (!job) return;
    }
    run_(*std::exchange(job, std::nullopt));
    job = lane.state.with([](State& state) {
      ++state.handled;
      auto next = state.line.take();
      if (!next) ++state.free;
      return next;
    });
  }
}

bool Workers::open_stream(std::size_t share) {
  Lane& lane = *lanes_[share];
  return lane.state.with([&](State& state) {
    const bool has_room = state.streams < lane.share.streams && !state.stopping;
    has_room ? ++state.streams : ++state.refused;
    return has_room;
  });
}

void Workers::close_stream(std::size_t share) {
  lanes_[share]->state.with([](State& state) { --state.streams; });
}

std::vector<ShareCounts> Workers::counts() const {
  std::vector<ShareCounts> counts;
  for (const auto& lane : lanes_)
    counts.push_back(lane->state.with([&](const State& state) {
      return ShareCounts{.name = lane->share.name,
                         .running = lane->share.running - state.free,
                         .waiting = state.line.size(),
                         .streams = state.streams,
                         .handled = state.handled,
                         .refused = state.refused};
    }));
  return counts;
}

void Workers::stop() {
  for (const auto& lane : lanes_) {
    // Jobs go outside of the lock: with them their connections may.
    std::vector<Job> dropped;
    lane->state.change([&](State& state) {
      state.stopping = true;
      for (Job& job : state.given) dropped.push_back(std::move(job));
      state.given.clear();
      while (auto job = state.line.take()) dropped.push_back(*std::move(job));
    });
  }
  for (const auto& lane : lanes_) {
    for (std::thread& thread : lane->threads) thread.join();
    lane->threads.clear();
  }
}

}  // namespace portico::http::internal
