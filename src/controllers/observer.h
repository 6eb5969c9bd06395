// Who is told what the controllers do, while they do it.
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

/// Called from the threads of the controllers, several at a time; of one object one after the
/// other.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A set was decided on, and its actions were carried out but for `failed`.
  virtual void set_looked_at(const krm::ObjectKey& key, const work::Run& run,
                             const variants::SetDecision& decision,
                             const std::vector<variants::FailedAction>& failed) = 0;
  /// A step of a variant was carried out, or failed as the outcome says; a step that somebody
  /// else's write undid is not told. `drafted` is null where it made no content.
  virtual void variant_looked_at(const krm::ObjectKey& key, const work::Run& run,
                                 const variants::VariantSnapshot& snapshot,
                                 const variants::VariantOutcome& outcome,
                                 const drafts::Drafted* drafted) = 0;
  /// A Repository was synced; `error` is null where it is ready.
  virtual void repository_looked_at(const krm::ObjectKey& key, const work::Run& run,
                                    const Error* error) = 0;
};

}  // namespace portico::controllers
