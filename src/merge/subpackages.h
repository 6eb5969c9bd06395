// Subpackages: folders inside a package that have their own Kptfile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/package.h"

namespace portico::merge {

inline constexpr std::string_view kKptfile = "Kptfile";

/// Joins "a" and "b" to "a/b"; either may be "" (the root).
std::string join_path(std::string_view folder, std::string_view name);
/// Whether `path` is in `folder`, at any depth; every path is in "".
bool is_below(std::string_view folder, std::string_view path);

/// The decoded Kptfile of the package at `folder`; nullopt if it is missing or does not parse.
std::optional<json::Value> kptfile_of(const krm::Package& package, std::string_view folder);
bool has_kptfile(const krm::Package& package, std::string_view folder);
/// Whether a Kptfile declares an upstream for the package.
bool has_upstream(const json::Value& kptfile);
/// Has an upstream that was never fetched: there is no upstreamLock.
bool is_unfetched(const json::Value& kptfile);

/// Every folder below `folder` that has a Kptfile, sorted by depth, then by name; without `folder`.
std::vector<std::string> subpackages(const krm::Package& package, std::string_view folder);
/// The subpackages that belong to the package: those that have no upstream and are not inside a
/// subpackage that has one.
std::vector<std::string> local_subpackages(const krm::Package& package, std::string_view folder);
/// Subpackages with an upstream that are not inside another such subpackage.
std::vector<std::string> remote_subpackages(const krm::Package& package, std::string_view folder);
/// Subpackages that are not inside another subpackage of `folder`.
std::vector<std::string> direct_subpackages(const krm::Package& package, std::string_view folder);

/// The files of the package at `folder` that are in none of its subpackages. Paths do not change.
krm::Package own_files(const krm::Package& package, std::string_view folder);
/// All files below `folder`. Paths do not change.
krm::Package all_files(const krm::Package& package, std::string_view folder);
/// The package at `folder` as a separate package: paths are relative to it.
krm::Package cut_out(const krm::Package& package, std::string_view folder);

}  // namespace portico::merge
