// Which package revisions were made from which, among all of a namespace. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "json/value.h"

namespace portico::cli {

/// Whether a revision is published under a number: the branch of a repository, which is a published
/// revision, too, has none.
bool has_number(const json::Value& revision);

/// Answers for many revisions at the cost of one list of them (packages/lineage.h asks a registry
/// for each). A value that never changes.
class UpstreamIndex {
 public:
  explicit UpstreamIndex(std::vector<json::Value> revisions);

  const std::vector<json::Value>& revisions() const { return revisions_; }

  /// The revision that status.upstreamLock names: the same git repository, directory and ref, else
  /// the same commit of them. Null where none of the revisions is.
  const json::Value* upstream_of(const json::Value& revision) const;

  /// The revision that is at a place of a git repository; null where none is.
  const json::Value* at(std::string_view repository, std::string_view directory,
                        std::string_view ref) const;

  /// The published revisions of the same package with a higher number, the lowest first.
  std::vector<const json::Value*> newer(const json::Value& revision) const;

  /// Every revision of the package, by name.
  std::vector<const json::Value*> of_package(std::string_view repository,
                                             std::string_view package) const;

 private:
  using Place = std::tuple<std::string, std::string, std::string>;  // repository, directory, ref

  std::vector<json::Value> revisions_;
  std::map<Place, std::size_t> by_ref_, by_commit_;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_package_;
};

}  // namespace portico::cli
