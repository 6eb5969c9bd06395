// Restores the comments of a package that went through a program that drops them.
#pragma once

#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// The package `sent`, with comments of `stored` restored. If a resource has no comments, and its
/// counterpart (same file, group, kind, namespace and name) in `stored` does, the result is the
/// stored text, layout included, updated to the values that were sent. A resource with comments,
/// and every other file, is taken as sent. kInvalid, with the file, if one does not parse.
Result<krm::Package> with_lost_comments(krm::Package sent, const krm::Package& stored);

}  // namespace portico::package
