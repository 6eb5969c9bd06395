// Package revisions and drafts over a server's API: Porch's, and what a server of ours adds.
#pragma once

#include <memory>

#include "cluster/api.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"

namespace portico::porch {

/// Transitions go the ways of porch.kpt.dev, which any server of it has: an update, an approval, a
/// deletion. Files are read from /apis/portico.dev/v1 (docs/guide/server.md), and from
/// PackageRevisionResources, which has text files alone, where the server is Porch's own; what is
/// known of a revision's history, and sync and forget, need a server of ours: kNotFound where it is
/// none. The actor's name counts only where the server knows who asks by other means
/// (Portico-Author); `run` and `decision` stay here. `api` outlives it.
std::unique_ptr<packages::Revisions> make_revisions(cluster::Api& api);

/// Needs a server of ours. What comes back is as drafts/wire.h says.
std::unique_ptr<drafts::Drafts> make_drafts(cluster::Api& api);

}  // namespace portico::porch
