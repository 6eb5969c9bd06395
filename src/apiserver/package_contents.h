// Converts the content of a package revision to a PackageRevisionResources object and back. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/package_resources.h"
#include "json/value.h"
#include "krm/package.h"

namespace portico::apiserver {

/// Selects files by shell patterns, in which '*' also matches '/'; an empty list selects all.
using PathGlobs = std::vector<std::string>;
bool is_wanted(const PathGlobs& globs, const std::string& path);

/// Whether the API shows a file. It shows only text: files that are not valid UTF-8 and symbolic
/// links are omitted from answers, and an update leaves them unchanged.
bool is_shown(const krm::File& file);

/// The object of `revision` with the files of `content` that are shown. `render_status` is the
/// {result: ...} of the render that produced them; null if there was none.
json::Value resources_object(const json::Value& revision, const krm::Package& content,
                             const json::Value& render_status);

/// The same if the content cannot be read: it has no files, and status.renderStatus.error says why.
json::Value unreadable_resources(const json::Value& revision, const Error& why);

/// `stored` with all shown files replaced by the files that were sent. File modes are kept.
/// kInvalid for a path that is not a valid file path, and if there is no Kptfile.
Result<krm::Package> with_resources(const krm::Package& stored, const api::StringMap& resources);

}  // namespace portico::apiserver
