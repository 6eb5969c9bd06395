// Another order of entries, and other quotes, in the text of a document.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "yaml/document.h"

namespace portico::yaml {

struct Rearrangement {
  /// Collections and their entries (items of a list, keys of a map), each once, in the new order.
  std::map<NodeId, std::vector<NodeId>> order;
  /// Scalars that are not block scalars, and what is to be written for them, on one line.
  std::map<NodeId, std::string> sources;
};

/// The new text. Entries take along the comments that are their own (internal/extent.h); blank
/// lines and comments that stand alone between two entries keep their place; blank lines above all
/// others go. A flow collection of several lines keeps its order. What an anchor is moved behind
/// its alias is the caller's to find.
std::string rearranged(const Document& document, const Rearrangement& changes);

}  // namespace portico::yaml
