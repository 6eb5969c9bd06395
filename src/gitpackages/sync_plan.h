// What to write so that the stored PackageRevisions of one repository say what git says. Pure.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "registry/registry.h"

namespace portico::gitpackages {

/// `stored` are the objects as they were before git was read: only these are updated or deleted,
/// each checked against its resourceVersion, so that a revision written meanwhile is left alone.
/// `fresh` are package_revision.h's objects. Deletes first, then by name; empty where they agree.
std::vector<registry::Write> sync_plan(const std::vector<json::Value>& stored,
                                       const std::vector<json::Value>& fresh);

/// The writes that turn a stored object into `after`: spec with metadata, and status, each only
/// where it differs.
void append_update(std::vector<registry::Write>& writes, const json::Value& before,
                   const json::Value& after);

}  // namespace portico::gitpackages
