// The order in which ref changes are pushed, so that no push that ends halfway loses work.
#pragma once

#include <span>
#include <vector>

#include "git/store.h"

namespace portico::git {

/// One push per non-empty part, `first` before `rest`.
struct PushOrder {
  std::vector<RefChange> first;  // adds commits the remote may not have; removes nothing
  std::vector<RefChange> rest;   // removals, and refs set to commits the remote has
};

/// A removal never shares a push with a ref to something new. Reason: a server that does not
/// receive all objects of a push (`git push` was killed, and its child `git pack-objects` sent a
/// pack of what it had been given so far) refuses the refs with missing objects but carries out the
/// removals of the same push, even with `--atomic`: seen with git 2.39. A ref that moves to a
/// commit which another change of `changes` shows to be on the remote stays with its removal. Pure.
PushOrder push_order(std::span<const RefChange> changes);

}  // namespace portico::git
