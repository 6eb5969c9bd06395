// Constructors for the object edits that merges produce.
#pragma once

#include <utility>

#include "krm/object.h"

namespace portico::merge::internal {

inline krm::Edit removal(krm::Path path) {
  krm::Edit edit;
  edit.verb = krm::Edit::Verb::kRemove;
  edit.path = std::move(path);
  return edit;
}

inline krm::Edit assignment(krm::Path path, json::Value value) {
  krm::Edit edit;
  edit.path = std::move(path);
  edit.value = std::move(value);
  return edit;
}

/// A copy of the node at `from_path`. The caller sets the source object in Edit::from later.
inline krm::Edit copy(krm::Edit::Verb verb, krm::Path path, krm::Path from_path) {
  krm::Edit edit;
  edit.verb = verb;
  edit.path = std::move(path);
  edit.from_path = std::move(from_path);
  return edit;
}

}  // namespace portico::merge::internal
