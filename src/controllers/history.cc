#include "controllers/history.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "api/kinds.h"
#include "controllers/events.h"
#include "packages/base.h"
#include "packages/lineage.h"

namespace portico::controllers {

using json::Value;

namespace {

struct Ranked {
  HistoryEntry entry;
  std::string order;      // `when`, but not before its parent commit, whatever the clock said
  std::int64_t rank = 0;  // within one second, the highest comes first
};

// "v2", or "packagevariant-3 (Draft)".
std::string shown(const Value& revision) {
  const Value& spec = revision["spec"];
  const std::int64_t number = spec["revision"].as_int();
  if (number > 0) return fmt::format("v{}", number);
  return fmt::format("{} ({})", spec["workspaceName"].as_string(), spec["lifecycle"].as_string());
}

class Story {
 public:
  Story(packages::Revisions& packages, const std::vector<Value>& revisions) : packages_(packages) {
    for (const Value& each : revisions)
      by_workspace_[std::string(each["spec"]["workspaceName"].as_string())] = &each;
  }

  Result<Done> add(const Value& revision) {
    constexpr std::size_t kMost = 1000;
    PORTICO_TRY(const auto changes, packages_.log(revision, kMost),
                std::string(krm::name_of(revision)));
    std::string latest;
    for (auto each = changes.rbegin(); each != changes.rend(); ++each)
      latest = order_[each->commit] = std::max({order_[each->commit], latest, each->when});
    for (const packages::Change& each : changes) {
      if (!seen_.insert(each.commit).second) continue;
      if (each.revision > 0) published_.insert(each.revision);
      std::string of = each.revision > 0 ? fmt::format("v{}", each.revision) : "";
      if (const auto at = by_workspace_.find(each.workspace);
          of.empty() && at != by_workspace_.end())
        of = shown(*at->second);
      if (of.empty()) of = each.workspace.empty() ? "(by hand)" : each.workspace;
      entries.push_back(
          {{each.when, std::move(of), each.author.substr(0, each.author.find(" <")), each.subject,
            fmt::format("{}", fmt::join(each.decisions, "; ")), each.commit.substr(0, 8)},
           order_[each.commit],
           rank(each)});
    }
    return Done{};
  }
  bool has(std::int64_t number) const { return published_.contains(number); }

  std::vector<Ranked> entries;

 private:
  static constexpr std::int64_t kDraft = std::numeric_limits<std::int64_t>::max() - 1;

  std::int64_t rank(const packages::Change& change) const {
    if (change.revision > 0) return change.revision;
    const auto at = by_workspace_.find(change.workspace);
    if (at == by_workspace_.end()) return 0;
    const std::int64_t number = (*at->second)["spec"]["revision"].as_int();
    return number == 0 ? kDraft : number;
  }

  packages::Revisions& packages_;
  std::map<std::string, const Value*> by_workspace_;
  std::set<std::string> seen_;
  std::map<std::string, std::string> order_;  // of a commit
  std::set<std::int64_t> published_;
};

// Events that left no commit. The other events duplicate commits, which state the decision
// themselves.
bool is_only_an_event(std::string_view reason) {
  static constexpr std::string_view kCommits[] = {
      "Clone",       "UpgradeNewDraft", "UpgradeInPlace", "EditNewDraft",
      "EditInPlace", "Rebase",          "Approve"};
  return std::find(std::begin(kCommits), std::end(kCommits), reason) == std::end(kCommits);
}

Result<Done> add_events(const registry::Registry& registry, const Value& variant,
                        std::vector<Ranked>& entries) {
  PORTICO_TRY(const auto events, events_of(registry, variant));
  const auto in_a_commit = [&](const std::string& decision) {
    return std::any_of(entries.begin(), entries.end(), [&](const Ranked& each) {
      return each.entry.why.find(decision) != std::string::npos;
    });
  };
  for (auto at = events.rbegin(); at != events.rend(); ++at) {
    const Value& event = *at;
    if (!is_only_an_event(event["reason"].as_string()) ||
        in_a_commit(
            fmt::format("{}: {}", event["reason"].as_string(), event["message"].as_string())))
      continue;
    std::string what(event["reason"].as_string());
    if (const std::int64_t count = event["count"].as_int(); count > 1)
      what += fmt::format(" (x{} since {})", count, event["firstTimestamp"].as_string());
    entries.push_back({{std::string(event["lastTimestamp"].as_string()), "", "Portico",
                        std::move(what), std::string(event["message"].as_string()), ""},
                       std::string(event["lastTimestamp"].as_string()),
                       std::numeric_limits<std::int64_t>::max()});
  }
  return Done{};
}

}  // namespace

Result<std::vector<HistoryEntry>> history(const registry::Registry& registry,
                                          packages::Revisions& packages, const std::string& ns,
                                          const std::string& name) {
  PORTICO_TRY(packages::NamedPackage package, packages::package_named(registry, ns, name));
  PORTICO_TRY(const auto revisions,
              packages::revisions_of(registry, ns, package.repository, package.name));
  if (revisions.empty() && package.variant.is_null())
    return not_found("package \"{}\" in repository \"{}\" has no revision", package.name,
                     package.repository);
  if (package.variant.is_null())
    if (const auto variant =
            registry.get({api::variant_kind(), ns, packages::variant_of(revisions)}))
      package.variant = *variant;

  Story story(packages, revisions);
  std::vector<const Value*> published;
  for (const Value& each : revisions) {
    const std::int64_t number = each["spec"]["revision"].as_int();
    if (number == 0) PORTICO_DO(story.add(each));
    if (number > 0) published.push_back(&each);
  }
  if (const Value& head = packages::branch_head(revisions); !head.is_null())
    PORTICO_DO(story.add(head));
  std::sort(published.begin(), published.end(), [](const Value* a, const Value* b) {
    return (*a)["spec"]["revision"].as_int() > (*b)["spec"]["revision"].as_int();
  });
  for (const Value* each : published)
    if (!story.has((*each)["spec"]["revision"].as_int())) PORTICO_DO(story.add(*each));
  if (!package.variant.is_null()) PORTICO_DO(add_events(registry, package.variant, story.entries));

  std::stable_sort(story.entries.begin(), story.entries.end(),
                   [](const Ranked& a, const Ranked& b) {
                     return std::tie(a.order, a.rank) > std::tie(b.order, b.rank);
                   });
  std::vector<HistoryEntry> out;
  for (Ranked& each : story.entries) out.push_back(std::move(each.entry));
  return out;
}

Value to_json(const std::vector<HistoryEntry>& entries) {
  std::vector<Value> out;
  for (const HistoryEntry& each : entries)
    out.push_back(Value::object({{"when", each.when},
                                 {"revision", each.revision},
                                 {"who", each.who},
                                 {"what", each.what},
                                 {"why", each.why},
                                 {"commit", each.commit}}));
  return Value::array(std::move(out));
}

}  // namespace portico::controllers
