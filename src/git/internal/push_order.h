// In which order changes of refs are pushed, so that no push that ends halfway loses work.
#pragma once

#include <span>
#include <vector>

#include "git/store.h"

namespace portico::git {

/// One push for each part that is not empty, `first` before `rest`.
struct PushOrder {
  std::vector<RefChange> first;  // brings commits that the remote may not have; removes nothing
  std::vector<RefChange> rest;   // removals, and refs to what the remote has
};

/// A server that does not get all objects of a push (`git push` was killed, and the `git
/// pack-objects` below it sent a pack of what it had been told so far) refuses the refs that miss
/// some, and carries out the removals that came with them, `--atomic` or not: seen with git 2.39.
/// So a removal never goes with a ref to something new. A ref that moves, to a commit that another
/// change of `changes` says the remote has, stays with its removal. Pure.
PushOrder push_order(std::span<const RefChange> changes);

}  // namespace portico::git
