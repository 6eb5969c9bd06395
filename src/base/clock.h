// Time as an input: nothing asks the system for it but the Clock that cli/ makes.
#pragma once

#include "base/time.h"

namespace portico {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
};

/// The machine's clock, UTC. Safe from any thread.
class SystemClock : public Clock {
 public:
  TimePoint now() const override;
};

}  // namespace portico
