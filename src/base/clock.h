// Time as an input: only the Clock that cli/ creates asks the system for the time.
#pragma once

#include "base/time.h"

namespace portico {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
};

/// The system clock, UTC. Thread-safe.
class SystemClock : public Clock {
 public:
  TimePoint now() const override;
};

}  // namespace portico
