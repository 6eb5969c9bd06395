// Which part of the work is this process's, where several work on the same objects.
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

/// Safe from any thread. Two processes may think for a while that they have the same unit: what
/// they write names the version that it was decided on, so that one of them does it again.
class Share {
 public:
  virtual ~Share() = default;
  /// A unit is what one process looks after: a repository with the variants that write to it
  /// (repository_unit()), or a set (set_unit()).
  virtual bool has(std::string_view unit) const = 0;

  /// Called each time units may have come or gone, as long as what comes back is kept. It may only
  /// take note.
  using Listening = Listeners<>::Listening;
  virtual std::unique_ptr<Listening> on_change(std::function<void()> changed) = 0;
};

std::string repository_unit(std::string_view ns, std::string_view repository);
std::string set_unit(std::string_view ns, std::string_view name);

/// The member that has a unit: the one whose hash with it is the highest (rendezvous hashing), so
/// that who comes or goes moves only its own units. "" where there are no members. Pure; the same
/// in every process and version.
std::string_view owner_of(std::string_view unit, const std::vector<std::string>& members);

/// `controller` for what is in the share alone; looks at all of that again when the share changes.
/// `kind` is that of its keys, `unit_of` says the unit of a key; the share outlives it.
std::unique_ptr<Controller> within_share(std::unique_ptr<Controller> controller,
                                         krm::GroupKind kind,
                                         std::function<std::string(const krm::ObjectKey&)> unit_of,
                                         Share& share);

}  // namespace portico::controllers
