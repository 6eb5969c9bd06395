#include "packages/base.h"

#include <fmt/format.h>

#include "krm/meta.h"

namespace portico::packages {

using json::Value;

namespace {

std::string_view tree_of(const Value& object) { return object["status"]["tree"].as_string(); }

// "v2", or the workspace of a revision without a number.
std::string version_of(const Value& object) {
  const std::int64_t number = object["spec"]["revision"].as_int();
  return number > 0 ? fmt::format("v{}", number)
                    : std::string(object["spec"]["workspaceName"].as_string());
}

}  // namespace

const Value& latest_published(const std::vector<Value>& siblings) {
  static const Value kNone{};
  const Value* best = &kNone;
  for (const Value& each : siblings) {
    const std::int64_t number = each["spec"]["revision"].as_int();
    if (number > 0 && number > (*best)["spec"]["revision"].as_int()) best = &each;
  }
  return *best;
}

const Value& branch_head(const std::vector<Value>& siblings) {
  static const Value kNone{};
  for (const Value& each : siblings) {
    if (each["spec"]["revision"].as_int() != -1) continue;
    const std::string_view ref = each["status"]["selfLock"]["git"]["ref"].as_string();
    if (ref == each["spec"]["workspaceName"].as_string()) return each;
  }
  return kNone;
}

const Value& current(const std::vector<Value>& siblings) {
  const Value& head = branch_head(siblings);
  const Value& published = latest_published(siblings);
  if (published.is_null()) return head;
  const bool moved = !tree_of(head).empty() && tree_of(head) != tree_of(published);
  return moved ? head : published;
}

std::optional<std::string> stale_base(const Value& package_revision,
                                      const std::vector<Value>& siblings) {
  const Value& base = package_revision["status"]["base"];
  const Value& head = branch_head(siblings);
  if (!base.is_object() || head.is_null() || tree_of(head).empty()) return std::nullopt;
  const std::string_view from = base["tree"].as_string();
  if (from == tree_of(head) || tree_of(package_revision) == tree_of(head)) return std::nullopt;
  std::string started = "nothing";
  for (const Value& each : siblings)
    if (!from.empty() && tree_of(each) == from && each["spec"]["revision"].as_int() > 0)
      started = version_of(each);
  if (started == "nothing" && !from.empty())
    started = fmt::format("commit {}", base["commit"].as_string().substr(0, 8));
  const Value& published = latest_published(siblings);
  if (!published.is_null() && tree_of(published) == tree_of(head))
    return fmt::format("{} is based on {}, but {} has been published since",
                       krm::name_of(package_revision), started, version_of(published));
  return fmt::format("{} is based on {}, but commit {} has changed branch \"{}\" since",
                     krm::name_of(package_revision), started,
                     head["status"]["selfLock"]["git"]["commit"].as_string().substr(0, 8),
                     head["spec"]["workspaceName"].as_string());
}

}  // namespace portico::packages
