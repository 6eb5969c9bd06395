#include "work/key_queue.h"

#include <algorithm>

namespace portico::work {

void KeyQueue::make_ready(const krm::ObjectKey& key, const Lane& lane) {
  if (waiting_.insert(key).second) ready_.add(lane, key);
}

void KeyQueue::add(const krm::ObjectKey& key, Lane lane) {
  if (const auto at = later_.find(key); at != later_.end()) drop_later(at);
  if (running_.contains(key)) {
    again_.insert_or_assign(key, std::move(lane));
  } else {
    tries_.erase(key);
    make_ready(key, lane);
  }
}

void KeyQueue::add_at(const krm::ObjectKey& key, Instant when, Lane lane) {
  if (waiting_.contains(key) || again_.contains(key)) return;
  put_later(key, {when, Why::kScheduled, std::move(lane)});
}

void KeyQueue::drop_later(std::map<krm::ObjectKey, Later>::iterator at) {
  by_time_.erase({at->second.when, at->first});
  failing_ -= at->second.why == Why::kFailing ? 1 : 0;
  looking_ -= at->second.why == Why::kLooking ? 1 : 0;
  later_.erase(at);
}

void KeyQueue::put_later(const krm::ObjectKey& key, Later later) {
  if (const auto at = later_.find(key); at != later_.end()) {
    // Scheduled and failing keys take precedence over a mere look, whichever is due first.
    const Why why = later.when < at->second.when ? later.why : at->second.why;
    const Why other = later.when < at->second.when ? at->second.why : later.why;
    later.when = std::min(later.when, at->second.when);
    later.why = why == Why::kLooking ? other : why;
    drop_later(at);
  }
  by_time_.emplace(later.when, key);
  failing_ += later.why == Why::kFailing ? 1 : 0;
  looking_ += later.why == Why::kLooking ? 1 : 0;
  later_.emplace(key, std::move(later));
}

std::optional<krm::ObjectKey> KeyQueue::take(Instant now) {
  while (!by_time_.empty() && by_time_.begin()->first <= now) {
    const krm::ObjectKey due = by_time_.begin()->second;
    const Later later = later_.at(due);
    add(due, later.lane);
    if (later.why != Why::kScheduled && trying_since_.contains(due)) tries_.insert(due);
  }
  auto next = ready_.take();
  if (!next) return std::nullopt;
  waiting_.erase(next->key);
  running_.emplace(next->key, Running{std::move(next->lane), now});
  ++taken_;
  return std::move(next->key);
}

Lane KeyQueue::release(const krm::ObjectKey& key) {
  Lane lane = std::move(running_.extract(key).mapped().lane);
  ready_.put_back(lane);
  tries_.erase(key);
  if (const auto again = again_.extract(key)) make_ready(key, again.mapped());
  return lane;
}

void KeyQueue::done(const krm::ObjectKey& key, std::optional<Instant> look,
                    std::optional<Lane> lane) {
  trying_since_.erase(key);
  look_again(key, look, std::move(lane));
}

void KeyQueue::not_yet(const krm::ObjectKey& key, Instant look, std::optional<Lane> lane) {
  trying_since_.try_emplace(key, running_.at(key).since);
  look_again(key, look, std::move(lane));
}

void KeyQueue::look_again(const krm::ObjectKey& key, std::optional<Instant> look,
                          std::optional<Lane> lane) {
  failures_.erase(key);
  Lane last = release(key);
  if (!look || waiting_.contains(key)) return;
  put_later(key, {*look, Why::kLooking, lane ? *std::move(lane) : std::move(last)});
}

void KeyQueue::failed(const krm::ObjectKey& key, Instant now, double jitter,
                      std::optional<Lane> lane, Pace pace) {
  ++retried_;
  Failures& failures = failures_[key];
  failures.count(pace);
  if (pace == Pace::kSoon && failures.all <= kFailuresThatPass)
    trying_since_.try_emplace(key, running_.at(key).since);
  else
    trying_since_.erase(key);
  Lane last = release(key);
  if (waiting_.contains(key)) return;  // an event came meanwhile; no back-off needed
  put_later(key, {now + wait_after(pace, failures, back_off_, slow_, jitter), Why::kFailing,
                  lane ? *std::move(lane) : std::move(last)});
}

Failures KeyQueue::failures(const krm::ObjectKey& key) const {
  const auto at = failures_.find(key);
  return at == failures_.end() ? Failures() : at->second;
}

std::optional<Instant> KeyQueue::next_due() const {
  if (by_time_.empty()) return std::nullopt;
  return by_time_.begin()->first;
}

std::vector<std::pair<Instant, krm::ObjectKey>> KeyQueue::next(std::size_t most) const {
  std::vector<std::pair<Instant, krm::ObjectKey>> out;
  for (const auto& [when, key] : by_time_) {
    if (out.size() == most) break;
    out.emplace_back(when, key);
  }
  return out;
}

bool KeyQueue::is_busy(const krm::ObjectKey& key) const {
  if (again_.contains(key)) return true;
  const auto later = later_.find(key);
  if (later != later_.end() && later->second.why == Why::kScheduled) return true;
  return (waiting_.contains(key) || running_.contains(key)) && !tries_.contains(key);
}

bool KeyQueue::is_retrying(const krm::ObjectKey& key, Instant now,
                           Instant::duration patience) const {
  const auto since = trying_since_.find(key);
  if (since == trying_since_.end() || now - since->second >= patience) return false;
  if (tries_.contains(key)) return true;
  const auto later = later_.find(key);
  return later != later_.end() && later->second.why != Why::kScheduled &&
         later->second.when - since->second < patience;
}

bool KeyQueue::any_retrying(Instant now, Instant::duration patience) const {
  return std::any_of(trying_since_.begin(), trying_since_.end(),
                     [&](const auto& one) { return is_retrying(one.first, now, patience); });
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
