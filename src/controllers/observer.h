// The interface that receives what the controllers do, while they do it.
#pragma once

#include <vector>

#include "drafts/request.h"
#include "krm/meta.h"
#include "variants/set_decide.h"
#include "variants/set_status.h"
#include "variants/variant_snapshot.h"
#include "variants/variant_status.h"
#include "work/run.h"

namespace portico::controllers {

/// Called from the controllers' threads, concurrently for different objects and sequentially for
/// one object.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A set was decided on, and its actions were carried out except for `failed`.
  virtual void set_reconciled(const krm::ObjectKey& key, const work::Run& run,
                              const variants::SetDecision& decision,
                              const std::vector<variants::FailedAction>& failed) = 0;
  /// A step of a variant was carried out, or failed as `outcome` says. A step that lost a race
  /// against another writer is not reported. `drafted` is null if the step made no content.
  virtual void variant_reconciled(const krm::ObjectKey& key, const work::Run& run,
                                  const variants::VariantSnapshot& snapshot,
                                  const variants::VariantOutcome& outcome,
                                  const drafts::Drafted* drafted) = 0;
  /// A Repository was synced; `error` is null if it is ready.
  virtual void repository_reconciled(const krm::ObjectKey& key, const work::Run& run,
                                     const Error* error) = 0;
};

}  // namespace portico::controllers
