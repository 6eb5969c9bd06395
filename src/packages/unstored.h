// Of a look at a repository: what was seen could not be written down. Pure.
#pragma once

#include <algorithm>
#include <utility>

#include "base/result.h"

namespace portico::packages {

/// The place of such an error.
inline constexpr const char* kUnstored = "the record of its revisions";

/// The error of the registry as PackageStore::sync() hands it back.
inline Error unstored(Error error) { return std::move(error).in(kUnstored); }

/// Whether the registry could not be reached: that is no news of the repository. What the registry
/// refuses is, for somebody has to do something.
inline bool is_unstored(const Error& error) {
  return error.code == Code::kUnavailable && error.reason != Reason::kForbidden &&
         error.reason != Reason::kUnauthorized &&
         std::find(error.where.begin(), error.where.end(), kUnstored) != error.where.end();
}

}  // namespace portico::packages
