// The Kptfile at a package's root, and edits of maps and lists that leave the rest of it alone.
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

/// kNotFound where the package has none, kInvalid (with line and column) where it is no Kptfile.
Result<krm::Object> kptfile_of(const krm::Package& package);
void put_kptfile(krm::Package& package, const krm::Object& kptfile);

/// Members in the order in which they are written where they are new.
using Members = std::vector<std::pair<std::string, json::Value>>;

/// Sets each member of the map at `path`, made where it is missing; an empty value ("" or null) is
/// removed. Other members stay.
Result<Done> set_members(krm::Object& object, const krm::Path& path, const Members& members);

/// Makes the map of strings at `path` equal to `wanted`: values that stay are not touched, new keys
/// are appended in order. An empty map is removed.
Result<Done> set_map(krm::Object& object, const krm::Path& path, const api::StringMap& wanted);

/// Removes the map or list at `path` where it is empty.
Result<Done> remove_if_empty(krm::Object& object, const krm::Path& path);

/// Brings the list of maps at `path`, whose items are told apart by the member `key`, to `wanted`:
/// items that are in both are edited where they stand, new ones appended, others removed. Every
/// item of `wanted` holds `key`. A list that becomes empty is removed.
Result<Done> sync_list(krm::Object& object, const krm::Path& path, const std::string& key,
                       const std::vector<Members>& wanted);

/// Inserts an item in front of `index`, which may be the list's size; the list is made where it is
/// missing.
Result<Done> insert_item(krm::Object& object, const krm::Path& list, std::size_t index,
                         const Members& item);

/// The value at `path`, or null.
json::Value value_at(const krm::Object& object, const krm::Path& path);

}  // namespace portico::package
