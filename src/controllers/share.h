// Which part of the work belongs to this process, when several processes work on the same objects.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/listeners.h"
#include "controllers/controller.h"
#include "krm/meta.h"

namespace portico::controllers {

/// Thread-safe. Two processes may both believe for a while that they have the same unit. Their
/// writes carry the resourceVersion they were based on, so one of them fails and is redone.
class Share {
 public:
  virtual ~Share() = default;
  /// A unit is the work that one process takes care of: a repository with the variants that write
  /// to it (repository_unit()), or a set (set_unit()).
  virtual bool has(std::string_view unit) const = 0;

  /// Called whenever units may have been gained or lost, while the return value is kept. The
  /// callback must only record the fact.
  using Listening = Listeners<>::Listening;
  virtual std::unique_ptr<Listening> on_change(std::function<void()> changed) = 0;
};

std::string repository_unit(std::string_view ns, std::string_view repository);
std::string set_unit(std::string_view ns, std::string_view name);

/// The member that has a unit: the one with the highest hash of member and unit (rendezvous
/// hashing), so that a member that joins or leaves moves only its own units. "" if there are no
/// members. Pure; the same in every process and version.
std::string_view owner_of(std::string_view unit, const std::vector<std::string>& members);

/// Wraps `controller` to reconcile only the keys in the share, and wakes all keys when the share
/// changes. `kind` is the kind of its keys and `unit_of` returns the unit of a key. `share` must
/// outlive it.
std::unique_ptr<Controller> within_share(std::unique_ptr<Controller> controller,
                                         krm::GroupKind kind,
                                         std::function<std::string(const krm::ObjectKey&)> unit_of,
                                         Share& share);

}  // namespace portico::controllers
