// Assigns requests to shares by their heads. Pure.
#pragma once

#include <cstddef>

#include "http/message.h"

namespace portico::apiserver {

/// In the order of shares() (server.h).
enum class ShareOf : std::size_t { kReads, kWrites, kWatches, kPackages, kHealth };

/// Watches are recognized by the query; package work is what reads or writes git.
ShareOf share_of(const http::Request& head);

}  // namespace portico::apiserver
