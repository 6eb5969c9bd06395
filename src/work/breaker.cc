#include "work/breaker.h"

#include <utility>

namespace portico::work {

Breaker::Pass Breaker::enter(Instant now) {
  if (is_closed()) return Pass::kFree;
  if (probing_ || now < next_probe_) return Pass::kNone;
  probing_ = true;
  return Pass::kProbe;
}

void Breaker::did_not_try() { probing_ = false; }

void Breaker::succeeded() {
  failures_ = 0;
  probing_ = false;
  why_.clear();
}

void Breaker::failed(Instant now, double jitter, std::string why) {
  if (!is_closed() && !probing_) return;
  probing_ = false;
  next_probe_ = now + back_off_.after(++failures_, jitter);
  why_ = std::move(why);
}

}  // namespace portico::work
