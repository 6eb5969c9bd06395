#include "cli/upstream_index.h"

#include <algorithm>

#include "krm/lifecycle.h"

namespace portico::cli {

using json::Value;

namespace {

// URLs that differ in a final ".git" or '/' name the same repository.
std::string plain_url(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  if (url.ends_with(".git")) url.remove_suffix(4);
  return std::string(url);
}

std::string plain_directory(std::string_view directory) {
  while (directory.starts_with('/')) directory.remove_prefix(1);
  while (directory.ends_with('/')) directory.remove_suffix(1);
  return std::string(directory);
}

std::tuple<std::string, std::string, std::string> place_of(const Value& lock, const char* at) {
  return {plain_url(lock["repo"].as_string()), plain_directory(lock["directory"].as_string()),
          std::string(lock[at].as_string())};
}

}  // namespace

bool has_number(const Value& revision) {
  const auto lifecycle = krm::parse_lifecycle(revision["spec"]["lifecycle"].as_string());
  return lifecycle && krm::is_published(*lifecycle) && revision["spec"]["revision"].as_int() > 0;
}

UpstreamIndex::UpstreamIndex(std::vector<Value> revisions) : revisions_(std::move(revisions)) {
  for (std::size_t i = 0; i < revisions_.size(); ++i) {
    const Value& spec = revisions_[i]["spec"];
    by_package_[{std::string(spec["repository"].as_string()),
                 std::string(spec["packageName"].as_string())}]
        .push_back(i);
    const Value& lock = revisions_[i]["status"]["selfLock"]["git"];
    if (!lock.is_object()) continue;
    by_ref_.emplace(place_of(lock, "ref"), i);
    by_commit_.emplace(place_of(lock, "commit"), i);
  }
}

const Value* UpstreamIndex::upstream_of(const Value& revision) const {
  const Value& lock = revision["status"]["upstreamLock"]["git"];
  if (!lock.is_object()) return nullptr;
  if (const auto at = by_ref_.find(place_of(lock, "ref")); at != by_ref_.end())
    return &revisions_[at->second];
  const auto at = by_commit_.find(place_of(lock, "commit"));
  return at == by_commit_.end() ? nullptr : &revisions_[at->second];
}

const Value* UpstreamIndex::at(std::string_view repository, std::string_view directory,
                               std::string_view ref) const {
  const auto found =
      by_ref_.find({plain_url(repository), plain_directory(directory), std::string(ref)});
  return found == by_ref_.end() ? nullptr : &revisions_[found->second];
}

std::vector<const Value*> UpstreamIndex::newer(const Value& revision) const {
  const std::int64_t own = revision["spec"]["revision"].as_int();
  std::vector<const Value*> out;
  for (const Value* each : of_package(revision["spec"]["repository"].as_string(),
                                      revision["spec"]["packageName"].as_string()))
    if (has_number(*each) && (*each)["spec"]["revision"].as_int() > own) out.push_back(each);
  std::sort(out.begin(), out.end(), [](const Value* a, const Value* b) {
    return (*a)["spec"]["revision"].as_int() < (*b)["spec"]["revision"].as_int();
  });
  return out;
}

std::vector<const Value*> UpstreamIndex::of_package(std::string_view repository,
                                                    std::string_view package) const {
  std::vector<const Value*> out;
  const auto at = by_package_.find({std::string(repository), std::string(package)});
  if (at == by_package_.end()) return out;
  for (const std::size_t i : at->second) out.push_back(&revisions_[i]);
  return out;
}

}  // namespace portico::cli
