#include "http/internal/workers.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/alternate_stack.h"

namespace portico::http::internal {

Result<std::unique_ptr<Workers>> Workers::start(const std::vector<Share>& shares,
                                                std::function<void(Job)> run) {
  std::unique_ptr<Workers> workers(new Workers(std::move(run)));
  for (const Share& share : shares) workers->lanes_.push_back(std::make_unique<Lane>(share));
  try {
    for (const auto& lane : workers->lanes_)
      lane->state.with([&](State& state) { workers->add_thread(*lane, state); });
  } catch (const std::system_error& error) {
    return unavailable("cannot start the threads of handlers: {}", error.what());
  }
  return workers;
}

void Workers::add_thread(Lane& lane, State& state) {
  state.threads.emplace_back([this, &lane] { work(lane); });
}

namespace {

void one_less(std::unordered_map<std::string, std::size_t>& counts, const std::string& flow) {
  const auto at = counts.find(flow);
  if (at != counts.end() && --at->second == 0) counts.erase(at);
}

}  // namespace

bool Workers::may_run(const Lane& lane, const State& state, const std::string& flow) {
  const std::size_t most = lane.share.running_of_one;
  const auto its = state.running_of.find(flow);
  return most == 0 || its == state.running_of.end() || its->second < most;
}

bool Workers::lacks_thread(const Lane& lane, const State& state) {
  return lane.share.running - state.free > state.threads.size();
}

std::optional<Job> Workers::submit(const Place& place, Job job) {
  const std::size_t index = std::min(place.share, lanes_.size() - 1);
  job.share = index;
  job.flow = place.flow;
  Lane& lane = *lanes_[index];
  return lane.state.change_for_one([&](State& state) -> std::optional<Job> {
    if (state.stopping) return std::nullopt;
    if (state.free > 0 && may_run(lane, state, place.flow)) {
      --state.free;
      ++state.running_of[place.flow];
      state.given.push_back(std::move(job));
      try {
        if (lacks_thread(lane, state)) add_thread(lane, state);
      } catch (const std::system_error&) {
        // A running thread will take the job.
      }
      return std::nullopt;
    }
    auto dropped = state.line.add(place.flow, std::move(job));
    if (dropped) ++state.refused;
    return dropped;
  });
}

std::optional<Job> Workers::take_given(State& state) {
  if (state.given.empty()) return std::nullopt;
  Job given = std::move(state.given.front());
  state.given.pop_front();
  return given;
}

void Workers::work(Lane& lane) {
  prepare_alternate_stack();
  std::optional<Job> job;
  for (;;) {
    if (!job) {
      job = lane.state.wait(
          [](const State& state) { return !state.given.empty() || state.stopping; }, take_given);
      if (!job) return;
    }
    const std::string flow = job->flow;
    run_(*std::exchange(job, std::nullopt));
    job = lane.state.with([&](State& state) {
      ++state.handled;
      one_less(state.running_of, flow);
      if (lacks_thread(lane, state) && !state.given.empty()) {
        ++state.free;
        return take_given(state);
      }
      auto next = state.line.take(
          [&](const std::string& waiting) { return may_run(lane, state, waiting); });
      if (next)
        ++state.running_of[next->flow];
      else
        ++state.free;
      return next;
    });
  }
}

bool Workers::open_stream(std::size_t share, const std::string& flow) {
  Lane& lane = *lanes_[share];
  return lane.state.with([&](State& state) {
    const auto its = state.streams_of.find(flow);
    const std::size_t most = lane.share.streams_of_one;
    const bool has_room = state.streams < lane.share.streams && !state.stopping &&
                          (most == 0 || its == state.streams_of.end() || its->second < most);
    has_room ? ++state.streams : ++state.refused;
    if (has_room) ++state.streams_of[flow];
    return has_room;
  });
}

void Workers::close_stream(std::size_t share, const std::string& flow) {
  lanes_[share]->state.with([&](State& state) {
    --state.streams;
    one_less(state.streams_of, flow);
  });
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
    // Destroy jobs outside the lock: that may destroy their connections.
    std::vector<Job> dropped;
    lane->state.change([&](State& state) {
      state.stopping = true;
      for (Job& job : state.given) dropped.push_back(std::move(job));
      state.given.clear();
      while (auto job = state.line.take()) dropped.push_back(*std::move(job));
    });
  }
  for (const auto& lane : lanes_) {
    auto threads = lane->state.with(
        [](State& state) { return std::exchange(state.threads, std::vector<std::thread>()); });
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace portico::http::internal
