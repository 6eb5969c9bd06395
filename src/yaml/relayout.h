// Gives a document kyaml's layout, for text that is passed between programs.
#pragma once

#include <string>

#include "yaml/document.h"

namespace portico::yaml {

enum class Lists { kKeep, kCompact, kWide };

/// Whether the first list in a map is indented more than its key.
bool has_wide_lists(const Document& document);

/// The text without blank lines, except those in scalars and between two comments. Every block list
/// in a map is put at its key's column (kCompact), two blanks deeper (kWide), or left where it is.
std::string relaid(const Document& document, Lists lists);

}  // namespace portico::yaml
