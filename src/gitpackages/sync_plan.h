// The writes that make the stored PackageRevisions of one repository match git. Pure.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "registry/registry.h"

namespace portico::gitpackages {

/// `stored` are the objects from before git was read: only these are updated or deleted, each
/// checked against its resourceVersion, so that a revision written meanwhile is left alone. `fresh`
/// are objects from package_revision.h. Deletes come first, then the rest by name; empty if both
/// agree.
std::vector<registry::Write> sync_plan(const std::vector<json::Value>& stored,
                                       const std::vector<json::Value>& fresh);

/// The writes that turn a stored object into `after`: one for spec and metadata, one for status,
/// each only if it differs.
void append_update(std::vector<registry::Write>& writes, const json::Value& before,
                   const json::Value& after);

}  // namespace portico::gitpackages
