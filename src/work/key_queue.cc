#include "work/key_queue.h"

#include <algorithm>

namespace portico::work {

void KeyQueue::make_ready(const krm::ObjectKey& key) {
  if (!waiting_.insert(key).second) return;
  ready_[key.ns].push_back(key);
}

void KeyQueue::add(const krm::ObjectKey& key) {
  if (const auto at = later_.find(key); at != later_.end()) drop_later(at);
  if (running_.contains(key))
    again_.insert(key);
  else
    make_ready(key);
}

void KeyQueue::add_at(const krm::ObjectKey& key, Instant when) {
  if (waiting_.contains(key) || again_.contains(key)) return;
  put_later(key, {when, Why::kScheduled});
}

void KeyQueue::drop_later(std::map<krm::ObjectKey, Later>::iterator at) {
  by_time_.erase({at->second.when, at->first});
  failing_ -= at->second.why == Why::kFailing ? 1 : 0;
  looking_ -= at->second.why == Why::kLooking ? 1 : 0;
  later_.erase(at);
}

void KeyQueue::put_later(const krm::ObjectKey& key, Later later) {
  if (const auto at = later_.find(key); at != later_.end()) {
    // Work that is due is no mere look, whichever comes first.
    const Why why = later.when < at->second.when ? later.why : at->second.why;
    const Why other = later.when < at->second.when ? at->second.why : later.why;
    later.when = std::min(later.when, at->second.when);
    later.why = why == Why::kLooking ? other : why;
    drop_later(at);
  }
  by_time_.emplace(later.when, key);
  failing_ += later.why == Why::kFailing ? 1 : 0;
  looking_ += later.why == Why::kLooking ? 1 : 0;
  later_.emplace(key, later);
}

std::optional<krm::ObjectKey> KeyQueue::take(Instant now) {
  while (!by_time_.empty() && by_time_.begin()->first <= now)
    add(krm::ObjectKey(by_time_.begin()->second));
  if (ready_.empty()) return std::nullopt;
  auto turn = ready_.upper_bound(turn_);
  if (turn == ready_.end()) turn = ready_.begin();
  krm::ObjectKey key = std::move(turn->second.front());
  turn->second.pop_front();
  turn_ = turn->first;
  if (turn->second.empty()) ready_.erase(turn);
  waiting_.erase(key);
  running_.insert(key);
  ++taken_;
  return key;
}

void KeyQueue::release(const krm::ObjectKey& key) {
  running_.erase(key);
  if (again_.erase(key) > 0) make_ready(key);
}

void KeyQueue::done(const krm::ObjectKey& key, std::optional<Instant> look) {
  failures_.erase(key);
  release(key);
  if (look && !waiting_.contains(key)) put_later(key, {*look, Why::kLooking});
}

void KeyQueue::failed(const krm::ObjectKey& key, Instant now, double jitter) {
  ++retried_;
  const int before = failures_[key]++;
  release(key);
  if (waiting_.contains(key)) return;  // an event came meanwhile: that is soon enough
  std::chrono::duration<double, std::milli> wait = back_off_.first;
  for (int i = 0; i < before && wait < back_off_.most; ++i) wait *= 2;
  wait = std::min<std::chrono::duration<double, std::milli>>(wait, back_off_.most);
  wait *= 1 + std::clamp(jitter, 0.0, 1.0) / 2;
  put_later(key, {now + std::chrono::duration_cast<Instant::duration>(wait), Why::kFailing});
}

int KeyQueue::failures(const krm::ObjectKey& key) const {
  const auto at = failures_.find(key);
  return at == failures_.end() ? 0 : at->second;
}

std::optional<Instant> KeyQueue::next_due() const {
  if (by_time_.empty()) return std::nullopt;
  return by_time_.begin()->first;
}

QueueCounts KeyQueue::counts() const {
  return {.ready = waiting_.size(),
          .scheduled = later_.size() - failing_ - looking_,
          .failing = failing_,
          .looking = looking_,
          .running = running_.size(),
          .taken = taken_,
          .retried = retried_};
}

}  // namespace portico::work
