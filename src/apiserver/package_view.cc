#include "apiserver/package_view.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "api/kinds.h"
#include "apiserver/package_list.h"
#include "packages/lineage.h"

namespace portico::apiserver {

using json::Value;
using registry::Change;
using registry::Event;

namespace {

registry::Query revisions_in(const std::string& ns) {
  return {.type = api::revision_kind(), .ns = ns};
}

bool is_asked_for(const registry::Query& query, const Value& package) {
  return (query.name.empty() || krm::name_of(package) == query.name) &&
         query.labels.matches_object(package);
}

Value without_version(const Value& package) {
  return package.without_at({"metadata", "resourceVersion"});
}

struct Package {
  std::string ns, repository, path;
  auto operator<=>(const Package&) const = default;
};

Package package_of(const Value& object) {
  const Value& spec = object["spec"];
  return {std::string(krm::namespace_of(object)), std::string(spec["repository"].as_string()),
          std::string(spec["packageName"].as_string())};
}

// A package is read after one of its revisions has changed, so it may already include later
// changes. Those then cause no further events.
class PackageWatch : public registry::Watch {
 public:
  PackageWatch(const registry::Registry& below, registry::Query query,
               registry::ResourceVersion from, std::unique_ptr<registry::Watch> revisions)
      : below_(below), query_(std::move(query)), from_(from), revisions_(std::move(revisions)) {}

  Result<std::vector<Event>> next(std::chrono::milliseconds wait) override {
    if (!begun_) PORTICO_DO(begin());
    for (;; wait = std::chrono::milliseconds(0)) {
      PORTICO_TRY(const auto events, revisions_->next(wait));
      if (events.empty()) return std::vector<Event>();
      std::map<Package, registry::ResourceVersion> touched;
      for (const Event& event : events) {
        auto& version = touched[package_of(event.object)];
        version = std::max(version, event.version);
      }
      PORTICO_TRY(std::vector<Event> out, changes(touched));
      if (!out.empty()) return out;
    }
  }
  registry::ResourceVersion version() const override { return revisions_->version(); }
  void stop() override { revisions_->stop(); }

 private:
  Result<Done> begin() {
    registry::Query then = revisions_in(query_.ns);
    then.version = from_;
    PORTICO_TRY(const registry::Listing all, below_.list(then));
    for (const Value& each : packages_of(all.objects))
      if (is_asked_for(query_, each)) known_.emplace(package_of(each), each);
    begun_ = true;
    return Done{};
  }

  Result<std::vector<Event>> changes(const std::map<Package, registry::ResourceVersion>& touched) {
    std::vector<Event> out;
    for (const auto& [package, version] : touched) {
      PORTICO_TRY(const auto revisions,
                  packages::revisions_of(below_, package.ns, package.repository, package.path));
      const std::vector<Value> now = packages_of(revisions);
      const auto before = known_.find(package);
      const bool was = before != known_.end();
      if (now.empty() ? !was : !is_asked_for(query_, now.front())) continue;
      if (!now.empty() && was && without_version(now.front()) == without_version(before->second))
        continue;
      Event event;
      event.version = version;
      event.change = now.empty() ? Change::kDeleted : was ? Change::kModified : Change::kAdded;
      if (was) event.previous = before->second;
      event.object = (now.empty() ? before->second : now.front())
                         .with_at({"metadata", "resourceVersion"}, std::to_string(version));
      if (now.empty())
        known_.erase(before);
      else
        known_.insert_or_assign(package, event.object);
      out.push_back(std::move(event));
    }
    // Sorted by version, so that a client can resume after the last event that it saw.
    std::stable_sort(out.begin(), out.end(),
                     [](const Event& a, const Event& b) { return a.version < b.version; });
    return out;
  }

  const registry::Registry& below_;
  const registry::Query query_;
  const registry::ResourceVersion from_;
  const std::unique_ptr<registry::Watch> revisions_;
  bool begun_ = false;
  std::map<Package, Value> known_;  // as last reported
};

}  // namespace

Result<registry::Listing> PackageView::list(const registry::Query& query) const {
  registry::Query revisions = revisions_in(query.ns);
  revisions.version = query.version;
  PORTICO_TRY(registry::Listing out, below_.list(revisions));
  out.objects = packages_of(out.objects);
  std::erase_if(out.objects, [&](const Value& each) { return !is_asked_for(query, each); });
  return out;
}

std::unique_ptr<registry::Watch> PackageView::watch(const registry::Query& query,
                                                    registry::ResourceVersion from,
                                                    registry::OnReady on_ready) {
  return std::make_unique<PackageWatch>(below_, query, from,
                                        below_.watch(revisions_in(query.ns), from, on_ready));
}

}  // namespace portico::apiserver
