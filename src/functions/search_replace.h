// search-replace: finds fields by value and path, and sets their values or comments.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: data (of any resource) with by-value or by-value-regex (RE2, unanchored), by-path
/// ("spec.**.image", "ports[*]"), by-file-path (a glob), put-value and put-comment, in which ${1}
/// is a group of the regular expression. Without put-... it only reports. A by-path without
/// wildcards and without by-value creates the field if it is missing. Sources: kpt catalog
/// search-replace.
Outcome search_replace(krm::ResourceList list);

}  // namespace portico::functions
