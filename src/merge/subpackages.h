// The packages inside a package: folders with a Kptfile of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/package.h"

namespace portico::merge {

inline constexpr std::string_view kKptfile = "Kptfile";

/// "a", "b" -> "a/b"; either may be "" (the root).
std::string join_path(std::string_view folder, std::string_view name);
/// Whether `path` is in `folder` ("" holds everything), at any depth.
bool is_below(std::string_view folder, std::string_view path);

/// The Kptfile of the package at `folder`, decoded; nothing where there is none or it does not
/// parse.
std::optional<json::Value> kptfile_of(const krm::Package& package, std::string_view folder);
bool has_kptfile(const krm::Package& package, std::string_view folder);
/// Whether a Kptfile says that the package has an upstream of its own.
bool has_upstream(const json::Value& kptfile);
/// Has an upstream, and was never fetched from it: no upstreamLock.
bool is_unfetched(const json::Value& kptfile);

/// Every folder below `folder` with a Kptfile, sorted by depth, then by name, without `folder`.
std::vector<std::string> subpackages(const krm::Package& package, std::string_view folder);
/// Those that belong to the package: without an upstream of their own, and not inside a subpackage
/// that has one.
std::vector<std::string> local_subpackages(const krm::Package& package, std::string_view folder);
/// Those with an upstream of their own that are not inside another such one.
std::vector<std::string> remote_subpackages(const krm::Package& package, std::string_view folder);
/// Subpackages that are inside no other subpackage of `folder`.
std::vector<std::string> direct_subpackages(const krm::Package& package, std::string_view folder);

/// The files of the package at `folder` that are in none of its subpackages, paths as they are.
krm::Package own_files(const krm::Package& package, std::string_view folder);
/// Everything below `folder`, paths as they are.
krm::Package all_files(const krm::Package& package, std::string_view folder);
/// The package at `folder` as a package of its own: paths relative to it.
krm::Package cut_out(const krm::Package& package, std::string_view folder);

}  // namespace portico::merge
