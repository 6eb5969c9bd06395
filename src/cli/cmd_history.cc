#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/printer.h"
#include "controllers/events.h"
#include "json/text.h"
#include "packages/base.h"
#include "packages/lineage.h"
#include "resources/table.h"

namespace portico::cli {

using json::Value;

namespace {

// One thing that happened to a package.
struct Entry {
  std::string when, revision, who, what, why, commit;
  std::int64_t rank = 0;  // of what happened in one second the highest comes first
};

struct Package {
  std::string repository, name;
  Value variant;  // null where none is known
};

// Of "edge01/web", a PackageVariant or a package revision.
Result<Package> package_meant(const registry::Registry& registry, const std::string& ns,
                              const std::string& name) {
  Package out;
  if (const auto variant = registry.get({api::variant_kind(), ns, name})) {
    out.variant = *variant;
    out.repository = (*variant)["spec"]["downstream"]["repo"].as_string();
    out.name = (*variant)["spec"]["downstream"]["package"].as_string();
    return out;
  }
  if (const auto revision = registry.get({api::revision_kind(), ns, name})) {
    out.repository = (*revision)["spec"]["repository"].as_string();
    out.name = (*revision)["spec"]["packageName"].as_string();
  } else if (const std::size_t slash = name.find('/'); slash != std::string::npos) {
    out.repository = name.substr(0, slash);
    out.name = name.substr(slash + 1);
  } else {
    return not_found(
        "no PackageVariant and no PackageRevision \"{}\" in namespace \"{}\"; a package is written "
        "REPOSITORY/PACKAGE",
        name, ns);
  }
  return out;
}

Result<Done> find_variant(const registry::Registry& registry, const std::string& ns,
                          const std::vector<Value>& revisions, Package& package) {
  std::int64_t newest = -2;
  for (const Value& each : revisions)
    for (const krm::OwnerReference& owner : krm::owners_of(each)) {
      const std::int64_t number = each["spec"]["revision"].as_int();
      if (!owner.controller || owner.kind != api::kVariantKind || number < newest) continue;
      newest = number;
      if (const auto variant = registry.get({api::variant_kind(), ns, owner.name}))
        package.variant = *variant;
    }
  return Done{};
}

// "v2", or "packagevariant-3 (Draft)".
std::string shown(const Value& revision) {
  const Value& spec = revision["spec"];
  const std::int64_t number = spec["revision"].as_int();
  if (number > 0) return fmt::format("v{}", number);
  return fmt::format("{} ({})", spec["workspaceName"].as_string(), spec["lifecycle"].as_string());
}

std::string joined(const std::vector<std::string>& lines) {
  return fmt::format("{}", fmt::join(lines, "; "));
}

class Story {
 public:
  Story(Engine& engine, const std::vector<Value>& revisions) : engine_(engine) {
    for (const Value& each : revisions)
      by_workspace_[std::string(each["spec"]["workspaceName"].as_string())] = &each;
  }

  Result<Done> add(const Value& revision) {
    constexpr std::size_t kMost = 1000;
    PORTICO_TRY(const auto changes, engine_.packages().log(revision, kMost),
                std::string(krm::name_of(revision)));
    for (const packages::Change& each : changes) {
      if (!seen_.insert(each.commit).second) continue;
      if (each.revision > 0) published_.insert(each.revision);
      std::string of = each.revision > 0 ? fmt::format("v{}", each.revision) : "";
      if (const auto at = by_workspace_.find(each.workspace);
          of.empty() && at != by_workspace_.end())
        of = shown(*at->second);
      if (of.empty()) of = each.workspace.empty() ? "(by hand)" : each.workspace;
      entries.push_back({each.when, std::move(of), each.author.substr(0, each.author.find(" <")),
                         each.subject, joined(each.decisions), each.commit.substr(0, 8),
                         rank(each)});
    }
    return Done{};
  }
  bool has(std::int64_t number) const { return published_.contains(number); }

  std::vector<Entry> entries;

 private:
  static constexpr std::int64_t kDraft = std::numeric_limits<std::int64_t>::max() - 1;

  std::int64_t rank(const packages::Change& change) const {
    if (change.revision > 0) return change.revision;
    const auto at = by_workspace_.find(change.workspace);
    if (at == by_workspace_.end()) return 0;
    const std::int64_t number = (*at->second)["spec"]["revision"].as_int();
    return number == 0 ? kDraft : number;
  }

  Engine& engine_;
  std::map<std::string, const Value*> by_workspace_;
  std::set<std::string> seen_;
  std::set<std::int64_t> published_;
};

// What left no commit: the others say themselves what was decided.
bool is_only_an_event(std::string_view reason) {
  static constexpr std::string_view kCommits[] = {
      "Clone",       "UpgradeNewDraft", "UpgradeInPlace", "EditNewDraft",
      "EditInPlace", "Rebase",          "Approve"};
  return std::find(std::begin(kCommits), std::end(kCommits), reason) == std::end(kCommits);
}

Result<Done> add_events(const registry::Registry& registry, const Value& variant,
                        std::vector<Entry>& entries) {
  PORTICO_TRY(const auto events, controllers::events_of(registry, variant));
  const auto in_a_commit = [&](const std::string& decision) {
    return std::any_of(entries.begin(), entries.end(), [&](const Entry& each) {
      return each.why.find(decision) != std::string::npos;
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
    entries.push_back({std::string(event["lastTimestamp"].as_string()), "", "Portico",
                       std::move(what), std::string(event["message"].as_string()), "",
                       std::numeric_limits<std::int64_t>::max()});
  }
  return Done{};
}

Value as_json(const std::vector<Entry>& entries) {
  std::vector<Value> out;
  for (const Entry& each : entries)
    out.push_back(Value::object({{"when", each.when},
                                 {"revision", each.revision},
                                 {"who", each.who},
                                 {"what", each.what},
                                 {"why", each.why},
                                 {"commit", each.commit}}));
  return Value::array(std::move(out));
}

}  // namespace

Result<Exit> run_history(const HistoryOptions& options, Context& context) {
  if (!options.output.empty() && options.output != "json")
    return invalid("-o can only be json, found \"{}\"", options.output);
  PORTICO_TRY(const auto engine, Engine::open(context));
  const registry::Registry& registry = engine->registry();
  const std::string& ns = context.globals.ns;
  PORTICO_TRY(Package package, package_meant(registry, ns, options.name));
  PORTICO_TRY(const auto revisions,
              packages::revisions_of(registry, ns, package.repository, package.name));
  if (revisions.empty() && package.variant.is_null())
    return not_found("package \"{}\" in repository \"{}\" has no revision", package.name,
                     package.repository);
  if (package.variant.is_null()) PORTICO_DO(find_variant(registry, ns, revisions, package));

  Story story(*engine, revisions);
  for (const Value& each : revisions)
    if (each["spec"]["revision"].as_int() == 0) PORTICO_DO(story.add(each));
  if (const Value& head = packages::branch_head(revisions); !head.is_null())
    PORTICO_DO(story.add(head));
  std::vector<const Value*> published;
  for (const Value& each : revisions)
    if (each["spec"]["revision"].as_int() > 0) published.push_back(&each);
  std::sort(published.begin(), published.end(), [](const Value* a, const Value* b) {
    return (*a)["spec"]["revision"].as_int() > (*b)["spec"]["revision"].as_int();
  });
  for (const Value* each : published)
    if (!story.has((*each)["spec"]["revision"].as_int())) PORTICO_DO(story.add(*each));
  if (!package.variant.is_null()) PORTICO_DO(add_events(registry, package.variant, story.entries));

  std::stable_sort(story.entries.begin(), story.entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.when, a.rank) > std::tie(b.when, b.rank);
  });
  Terminal& out = context.terminal;
  if (options.output == "json") {
    out.write(json::print_pretty(as_json(story.entries), 2) + "\n");
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"WHEN", "REVISION", "WHO", "WHAT", "WHY"}};
  for (const Entry& each : story.entries)
    rows.push_back({each.when, each.revision, each.who, each.what, each.why});
  out.write(table(rows));
  return 0;
}

}  // namespace portico::cli
