#include "render/internal/kptfile_form.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace portico::render {

namespace {

constexpr auto kRoot =
    std::to_array<std::string_view>({"apiVersion", "kind", "metadata", "upstream", "upstreamLock",
                                     "info", "pipeline", "inventory", "status"});
constexpr auto kMetadata =
    std::to_array<std::string_view>({"name", "namespace", "labels", "annotations"});
constexpr auto kUpstream = std::to_array<std::string_view>({"type", "git", "updateStrategy"});
constexpr auto kGit = std::to_array<std::string_view>({"repo", "directory", "ref", "commit"});
constexpr auto kInfo =
    std::to_array<std::string_view>({"site", "emails", "licenseFile", "documents", "description",
                                     "keywords", "man", "readinessGates"});
constexpr auto kPipeline = std::to_array<std::string_view>({"mutators", "validators"});
constexpr auto kFunction = std::to_array<std::string_view>(
    {"image", "exec", "configPath", "configMap", "name", "tag", "selectors", "exclude"});
constexpr auto kSelector = std::to_array<std::string_view>(
    {"apiVersion", "kind", "name", "namespace", "labels", "annotations"});
constexpr auto kInventory =
    std::to_array<std::string_view>({"namespace", "name", "inventoryID", "labels", "annotations"});

using Order = std::span<const std::string_view>;

std::string_view name_at(const krm::Path& path, std::size_t from_end) {
  if (path.size() < from_end) return {};
  const auto* name = std::get_if<std::string>(&path[path.size() - from_end]);
  return name == nullptr ? std::string_view() : *name;
}

Order order_of(const krm::Path& map) {
  if (map.empty()) return kRoot;
  const std::string_view name = name_at(map, 1), list = name_at(map, 2);
  if (map.size() == 1) {
    if (name == "metadata") return kMetadata;
    if (name == "upstream" || name == "upstreamLock") return kUpstream;
    if (name == "info") return kInfo;
    if (name == "pipeline") return kPipeline;
    if (name == "inventory") return kInventory;
  }
  if (map.size() == 2 && name == "git") return kGit;
  if (name.empty() && (list == "mutators" || list == "validators")) return kFunction;
  if (name.empty() && (list == "selectors" || list == "exclude")) return kSelector;
  return {};
}

bool is_sorted_map(const krm::Path& map) {
  const std::string_view name = name_at(map, 1);
  return name == "labels" || name == "annotations" || name == "configMap";
}

}  // namespace

krm::Object in_kpts_form(krm::Object kptfile) {
  krm::Arrangement how;
  how.before = [](const krm::Path& map, std::string_view a, std::string_view b) {
    if (is_sorted_map(map)) return a < b;
    const Order order = order_of(map);
    return std::find(order.begin(), order.end(), a) < std::find(order.begin(), order.end(), b);
  };
  how.quotes = [](const krm::Path&) { return krm::Quotes::kNeeded; };
  krm::Object arranged = kptfile;
  if (!arranged.arrange(how)) return kptfile;
  return arranged.relaid(krm::Lists::kWide);
}

}  // namespace portico::render
