// The Kptfile at a package's root, and edits of maps and lists that leave everything else
// unchanged.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta.h"
#include "base/result.h"
#include "krm/object.h"
#include "krm/package.h"

namespace portico::package {

inline constexpr std::string_view kKptfile = "Kptfile";

/// kNotFound if the package has none; kInvalid (with line and column) if it is not a Kptfile.
Result<krm::Object> kptfile_of(const krm::Package& package);
void put_kptfile(krm::Package& package, const krm::Object& kptfile);

/// Members in the order in which new ones are written.
using Members = std::vector<std::pair<std::string, json::Value>>;

/// Sets each member of the map at `path`, which is created if missing; an empty value ("" or null)
/// removes the member. Other members stay.
Result<Done> set_members(krm::Object& object, const krm::Path& path, const Members& members);

/// Makes the map of strings at `path` equal to `wanted`: equal values are not touched, new keys are
/// appended in order. An empty map is removed.
Result<Done> set_map(krm::Object& object, const krm::Path& path, const api::StringMap& wanted);

/// Removes the map or list at `path` if it is empty.
Result<Done> remove_if_empty(krm::Object& object, const krm::Path& path);

/// Makes the list of maps at `path`, whose items are identified by the member `key`, equal to
/// `wanted`: common items are edited in place, new ones are appended, others removed. Every item of
/// `wanted` must have `key`. A list that becomes empty is removed.
Result<Done> sync_list(krm::Object& object, const krm::Path& path, const std::string& key,
                       const std::vector<Members>& wanted);

/// Inserts an item before `index`, which may be the size of the list. The list is created if
/// missing.
Result<Done> insert_item(krm::Object& object, const krm::Path& list, std::size_t index,
                         const Members& item);

/// The value at `path`, or null.
json::Value value_at(const krm::Object& object, const krm::Path& path);

}  // namespace portico::package
