// A document in the layout that kyaml gives it, for text that goes from program to program.
#pragma once

#include <string>

#include "yaml/document.h"

namespace portico::yaml {

enum class Lists { kKeep, kCompact, kWide };

/// Whether the first list in a map stands deeper than its key.
bool has_wide_lists(const Document& document);

/// The text without blank lines, but for those in scalars and between two comments; every block
/// list in a map at its key's column (kCompact), two blanks deeper (kWide), or where it is.
std::string relaid(const Document& document, Lists lists);

}  // namespace portico::yaml
