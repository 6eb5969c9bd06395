#include "cli/revisions.h"

#include <fmt/format.h>

#include "api/kinds.h"
#include "engine/engine.h"
#include "krm/lifecycle.h"
#include "krm/meta.h"
#include "package/inject.h"
#include "packages/base.h"
#include "packages/lineage.h"
#include "resources/state.h"

namespace portico::cli {

using json::Value;

drafts::DraftRequest sibling_of(const Value& revision, const std::string& workspace) {
  drafts::DraftRequest request;
  request.ns = krm::namespace_of(revision);
  request.repository = revision["spec"]["repository"].as_string();
  request.package = revision["spec"]["packageName"].as_string();
  request.workspace = workspace;
  request.only_if_changed = false;
  request.actor = engine::current_actor();
  return request;
}

Result<std::vector<Value>> siblings_of(const registry::Registry& registry, const Value& revision) {
  return packages::revisions_of(registry, std::string(krm::namespace_of(revision)),
                                std::string(revision["spec"]["repository"].as_string()),
                                std::string(revision["spec"]["packageName"].as_string()));
}

Value newest_of(const std::vector<Value>& owned) {
  const auto rank = [](const Value& revision) {
    const auto lifecycle = krm::parse_lifecycle(revision["spec"]["lifecycle"].as_string());
    const bool open = lifecycle && !krm::is_published(*lifecycle);
    return std::tuple(open, revision["spec"]["revision"].as_int(),
                      revision["metadata"]["creationTimestamp"].as_string(),
                      krm::name_of(revision));
  };
  const Value* newest = nullptr;
  for (const Value& each : owned)
    if (newest == nullptr || rank(*newest) < rank(each)) newest = &each;
  return newest == nullptr ? Value() : *newest;
}

std::vector<std::string> unmet_injections(const Value& revision) {
  std::vector<std::string> out;
  const auto conditions = resources::conditions_of(revision);
  for (const Value& gate : revision["spec"]["readinessGates"].items()) {
    const std::string type(gate["conditionType"].as_string());
    if (!type.starts_with(package::kInjectionCondition)) continue;
    std::string point = type.substr(package::kInjectionCondition.size());
    if (const std::size_t dot = point.find('.'); dot != std::string::npos) point[dot] = ' ';
    std::string why = "nothing has been injected yet";
    bool met = false;
    for (const api::Condition& each : conditions)
      if (each.type == type) {
        met = each.status == "True";
        if (!each.message.empty()) why = each.message;
      }
    if (!met) out.push_back(fmt::format("{}: {}", point, why));
  }
  return out;
}

std::string drift_note(const Value& variant) {
  for (const api::Condition& each : resources::conditions_of(variant))
    if (each.type == api::kDrifted && each.status == "True")
      return fmt::format(
          "drifted: {}; the next draft will pick it up, or publish it now: rpkg copy, rpkg rebase, "
          "rpkg approve",
          each.message);
  return "";
}

std::vector<std::string> notes_of(const Value& variant, const Value& newest) {
  std::vector<std::string> out;
  if (std::string drift = drift_note(variant); !drift.empty()) out.push_back(std::move(drift));
  for (const std::string& point : unmet_injections(newest))
    out.push_back(fmt::format("{} is waiting for injection: {}", krm::name_of(newest), point));
  return out;
}

std::string stale_note(const Value& revision, const std::vector<Value>& siblings) {
  const auto lifecycle = krm::parse_lifecycle(revision["spec"]["lifecycle"].as_string());
  if (!lifecycle || krm::is_published(*lifecycle)) return "";
  const auto stale = packages::stale_base(revision, siblings);
  if (!stale) return "";
  return fmt::format("{}; {}portico rpkg rebase {}", *stale,
                     *lifecycle == krm::Lifecycle::kProposed ? "reject it and run " : "run ",
                     krm::name_of(revision));
}

}  // namespace portico::cli
