// A package that comes back from a program which keeps no comments.
#pragma once

#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// The package `sent`, with the comments of `stored` where they were lost: a resource without any
/// comment that has its counterpart (same file, group, kind, namespace and name) in `stored` is the
/// stored text with the values that were sent, written where and as they were. A resource with
/// comments, and every other file, is taken as it was sent. kInvalid, with the file, for what does
/// not parse.
Result<krm::Package> with_lost_comments(krm::Package sent, const krm::Package& stored);

}  // namespace portico::package
