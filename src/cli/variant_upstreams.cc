#include "cli/variant_upstreams.h"

#include <fmt/format.h>

#include <map>

#include "api/kinds.h"
#include "cli/upstream_index.h"
#include "krm/lifecycle.h"

namespace portico::cli {

using json::Value;

namespace {

std::string version(const Value* revision) {
  if (revision == nullptr) return "-";
  if (const std::int64_t number = (*revision)["spec"]["revision"].as_int(); number > 0)
    return fmt::format("v{}", number);
  const std::string_view commit = (*revision)["status"]["selfLock"]["git"]["commit"].as_string();
  return fmt::format("{}@{}", (*revision)["spec"]["workspaceName"].as_string(),
                     commit.substr(0, 8));
}

// The upstream of a revision, even if no registered repository has it any more.
std::string made_from(const UpstreamIndex& index, const Value* revision) {
  if (revision == nullptr) return "-";
  if (const Value* upstream = index.upstream_of(*revision)) return version(upstream);
  const Value& lock = (*revision)["status"]["upstreamLock"]["git"];
  if (!lock.is_object()) return "-";
  return fmt::format("{}@{}", lock["ref"].as_string(), lock["commit"].as_string().substr(0, 8));
}

struct Newest {
  const Value *published = nullptr, *open = nullptr, *head = nullptr;
};

Newest newest_of_package(const std::vector<const Value*>& revisions) {
  Newest out;
  for (const Value* each : revisions) {
    const std::int64_t number = (*each)["spec"]["revision"].as_int();
    const auto lifecycle = krm::parse_lifecycle((*each)["spec"]["lifecycle"].as_string());
    if (!lifecycle) continue;
    if (number < 0)
      out.head = each;
    else if (!krm::is_published(*lifecycle))
      out.open = each;
    else if (out.published == nullptr || (*out.published)["spec"]["revision"].as_int() < number)
      out.published = each;
  }
  return out;
}

}  // namespace

Result<MoreColumns> upstream_columns(const registry::Registry& registry,
                                     const std::vector<Value>& objects) {
  MoreColumns out{
      .kind = api::variant_kind(), .head = {"PUBLISHED", "DRAFTED", "AVAILABLE"}, .cells = {}};
  std::map<std::string, UpstreamIndex> by_namespace;
  for (const Value& variant : objects) {
    if (krm::group_kind(variant) != api::variant_kind()) continue;
    const std::string ns(krm::namespace_of(variant));
    auto at = by_namespace.find(ns);
    if (at == by_namespace.end()) {
      PORTICO_TRY(registry::Listing all, registry.list({.type = api::revision_kind(), .ns = ns}));
      at = by_namespace.emplace(ns, UpstreamIndex(std::move(all.objects))).first;
    }
    const UpstreamIndex& index = at->second;
    const auto package = [&](const Value& place) {
      return newest_of_package(
          index.of_package(place["repo"].as_string(), place["package"].as_string()));
    };
    const Newest made = package(variant["spec"]["downstream"]);
    const Newest upstream = package(variant["spec"]["upstream"]);
    out.cells[krm::object_key(variant)] = {
        made_from(index, made.published), made_from(index, made.open),
        version(upstream.published != nullptr ? upstream.published : upstream.head)};
  }
  return out;
}

}  // namespace portico::cli
