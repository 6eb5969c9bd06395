// Reorders entries and rewrites scalars in the text of a document.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "yaml/document.h"

namespace portico::yaml {

struct Rearrangement {
  /// Collections and their entries (list items, map keys), each once, in the new order.
  std::map<NodeId, std::vector<NodeId>> order;
  /// Scalars that are not block scalars, with their new one-line source.
  std::map<NodeId, std::string> sources;
};

/// The new text. Entries take along their own comments (internal/extent.h). Blank lines and
/// standalone comments between two entries keep their place; blank lines above all entries are
/// removed. A flow collection of several lines keeps its order. The caller must make sure that no
/// anchor moves behind its alias.
std::string rearranged(const Document& document, const Rearrangement& changes);

}  // namespace portico::yaml
