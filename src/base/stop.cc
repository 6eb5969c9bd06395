#include "base/stop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace portico {

bool Stop::operator()() const {
  return (flag_ != nullptr && flag_->asked) ||
         (at_ != Time::max() && std::chrono::steady_clock::now() >= at_);
}

int Stop::descriptor() const { return flag_ == nullptr ? -1 : flag_->event.get(); }

StopSource::StopSource() : flag_(std::make_shared<Stop::Flag>()) {
  flag_->event = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

void StopSource::ask() {
  const std::uint64_t one = 1;
  if (!flag_->asked.exchange(true))
    static_cast<void>(::write(flag_->event.get(), &one, sizeof one) == 0);
}

void StopSource::take_back() {
  std::uint64_t count = 0;
  if (flag_->asked.exchange(false))
    static_cast<void>(::read(flag_->event.get(), &count, sizeof count) == 0);
}

Stop StopSource::stop(Stop::Time at) const {
  Stop out = Stop::at_time(at);
  out.flag_ = flag_;
  return out;
}

}  // namespace portico
