// The share of one replica in a group that divides the work.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/listeners.h"
#include "controllers/share.h"

namespace portico::engine {

/// "portico-member-HOST-1234abcd" from a process's name: a DNS subdomain.
std::string member_name(std::string_view own_name);

/// Rendezvous hashing over the members (controllers::owner_of()); an empty share if this process is
/// not among them. Thread-safe.
class MembersShare : public controllers::Share {
 public:
  explicit MembersShare(std::string member) : member_(std::move(member)) {}

  /// Sets the live members and notifies the listeners.
  void set(std::vector<std::string> members);
  /// Polled by has(), which is false while `lives` returns false. Call once, before other threads
  /// use this.
  void lives_by(std::function<bool()> lives) { lives_ = std::move(lives); }

  bool has(std::string_view unit) const override;
  std::unique_ptr<Listening> on_change(std::function<void()> changed) override {
    return listeners_.add(std::move(changed));
  }

 private:
  const std::string member_;
  std::function<bool()> lives_;
  Guarded<std::vector<std::string>> members_;
  Listeners<> listeners_;
};

}  // namespace portico::engine
