// The share of a member of those who work together.
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

/// "portico-member-HOST-1234abcd" of a process's own name: a DNS subdomain.
std::string member_name(std::string_view own_name);

/// By rendezvous hashing over the members (controllers::owner_of()); nothing where this one is not
/// among them. Safe from any thread.
class MembersShare : public controllers::Share {
 public:
  explicit MembersShare(std::string member) : member_(std::move(member)) {}

  /// Who lives, and whether this one still does; told to whoever listens.
  void set(std::vector<std::string> members);
  /// Asked each time: has() is false where it says so. Called once, before others use this.
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
