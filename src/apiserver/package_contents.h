// The content of a package revision as the object PackageRevisionResources, and back. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/package_resources.h"
#include "json/value.h"
#include "krm/package.h"

namespace portico::apiserver {

/// Which files are asked for: shell patterns, of which '*' matches '/' as well; none: all.
using PathGlobs = std::vector<std::string>;
bool is_wanted(const PathGlobs& globs, const std::string& path);

/// Whether the API shows a file, which is text to it: what is no UTF-8, and symbolic links, are
/// left out of answers, and an update leaves them as they are.
bool is_shown(const krm::File& file);

/// The object of `revision` with those of the files that are shown. `render_status`:
/// {result: ...} of the render that made them; null where none did.
json::Value resources_object(const json::Value& revision, const krm::Package& content,
                             const json::Value& render_status);

/// The same where the content cannot be read: without files, status.renderStatus.error says why.
json::Value unreadable_resources(const json::Value& revision, const Error& why);

/// `stored` with the files that were sent in place of all that are shown. Modes stay. kInvalid for
/// a path that no file can have, and where there is no Kptfile.
Result<krm::Package> with_resources(const krm::Package& stored, const api::StringMap& resources);

}  // namespace portico::apiserver
