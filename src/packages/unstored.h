// Marks errors of a sync that read a repository but could not record the result. Pure.
#pragma once

#include <algorithm>
#include <utility>

#include "base/result.h"

namespace portico::packages {

/// The place in such an error.
inline constexpr const char* kUnstored = "the record of its revisions";

/// A registry error in the form that PackageStore::sync() returns.
inline Error unstored(Error error) { return std::move(error).in(kUnstored); }

/// Whether the registry could not be reached, which says nothing about the repository. A request
/// that the registry denies does not count, because a person must fix it.
inline bool is_unstored(const Error& error) {
  return error.code == Code::kUnavailable && error.reason != Reason::kForbidden &&
         error.reason != Reason::kUnauthorized &&
         std::find(error.where.begin(), error.where.end(), kUnstored) != error.where.end();
}

}  // namespace portico::packages
