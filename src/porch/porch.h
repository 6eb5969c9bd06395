// Package revisions and drafts over a server's API: Porch's, with the additions of a Portico
// server.
#pragma once

#include <memory>

#include "cluster/api.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"

namespace portico::porch {

/// Transitions use porch.kpt.dev, which works with any server: an update, an approval, a deletion.
/// Files are read from /apis/portico.dev/v1 (docs/guide/server.md), or from
/// PackageRevisionResources, which has only text files, if the server is Porch itself. History,
/// sync and forget need a Portico server, else they are kNotFound. The actor's name counts only if
/// the server identifies the caller by other means (Portico-Author); `run` and `decision` are not
/// sent. `api` must outlive it.
std::unique_ptr<packages::Revisions> make_revisions(cluster::Api& api);

/// Needs a Portico server. Returns only what drafts/wire.h transmits.
std::unique_ptr<drafts::Drafts> make_drafts(cluster::Api& api);

}  // namespace portico::porch
