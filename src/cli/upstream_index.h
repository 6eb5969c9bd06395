// Finds which package revisions were made from which, among all of a namespace. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "json/value.h"

namespace portico::cli {

/// Whether a revision is published with a number. The head of a branch counts as published, too,
/// but has none.
bool has_number(const json::Value& revision);

/// Answers queries on many revisions at the cost of a single list (packages/lineage.h queries the
/// registry for each). Immutable.
class UpstreamIndex {
 public:
  explicit UpstreamIndex(std::vector<json::Value> revisions);

  const std::vector<json::Value>& revisions() const { return revisions_; }

  /// The revision that status.upstreamLock names: same git repository, directory and ref, else same
  /// commit. Null if it is not among the revisions.
  const json::Value* upstream_of(const json::Value& revision) const;

  /// The revision at a place in a git repository; null if there is none.
  const json::Value* at(std::string_view repository, std::string_view directory,
                        std::string_view ref) const;

  /// The published revisions of the same package with a higher number, in ascending order.
  std::vector<const json::Value*> newer(const json::Value& revision) const;

  /// All revisions of the package.
  std::vector<const json::Value*> of_package(std::string_view repository,
                                             std::string_view package) const;

 private:
  using Place = std::tuple<std::string, std::string, std::string>;  // repository, directory, ref

  std::vector<json::Value> revisions_;
  std::map<Place, std::size_t> by_ref_, by_commit_;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_package_;
};

}  // namespace portico::cli
