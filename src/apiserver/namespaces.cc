#include "apiserver/namespaces.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "api/kinds.h"
#include "apiserver/internal/core_rules.h"
#include "base/time.h"
#include "krm/meta.h"

namespace portico::apiserver {

using json::Value;
using registry::Verb;

namespace {

const krm::GroupKind kNamespace{"", "Namespace"};
const krm::GroupKind kAccount{"", "ServiceAccount"};
constexpr const char* kFinalizer = "kubernetes";
constexpr const char* kDefault = "default";

Value without_version(const Value& object) {
  return object.without_at({"metadata", "resourceVersion"});
}

// A variant's finalizer would delete its packages from git; without it only the object is deleted.
// Null if it does not have that finalizer.
Value without_git(const Value& object) {
  auto finalizers = krm::finalizers_of(object);
  if (std::erase(finalizers, std::string(api::kVariantFinalizer)) == 0) return {};
  return krm::with_finalizers(object, finalizers);
}

Value condition(const std::string& type, bool holds, std::string_view reason,
                const std::string& message, const std::string& now) {
  return Value::object({{"type", type},
                        {"status", holds ? "True" : "False"},
                        {"lastTransitionTime", now},
                        {"reason", reason},
                        {"message", message}});
}

// "a.example.com has 2 resource instances, b has 1 resource instances"
std::string counted(const std::map<std::string, std::size_t>& counts, std::string_view between) {
  std::string out;
  for (const auto& [name, count] : counts)
    out +=
        fmt::format("{}{} {} {} resource instances", out.empty() ? "" : ", ", name, between, count);
  return out;
}

}  // namespace

Result<std::unique_ptr<Namespaces>> Namespaces::open(registry::Registry& registry,
                                                     const Clock& clock, Log* log) {
  std::unique_ptr<Namespaces> out(new Namespaces(registry, clock, log));
  PORTICO_DO(out->follow_all());
  Namespaces& all = *out;
  out->thread_ = std::thread([&all] { all.run(); });
  return out;
}

Namespaces::~Namespaces() {
  if (!thread_.joinable()) return;
  state_.change([](State& state) { state.stopping = true; });
  thread_.join();
}

void Namespaces::run() {
  constexpr std::chrono::seconds kRetryNow{5};  // after a failure
  const auto ready = [](const State& state) { return state.ready || state.stopping; };
  const auto take = [](State& state) {
    state.ready = false;
    return state.stopping;
  };
  bool failed = false;
  for (;;) {
    const bool stopping =
        failed ? state_.wait_until(std::chrono::steady_clock::now() + kRetryNow, ready, take)
               : state_.wait(ready, take);
    if (stopping) return;
    // Start over if the watch is too far behind or the last attempt failed.
    auto looked = failed ? follow_all() : look();
    if (!looked && looked.error().reason == Reason::kExpired) looked = follow_all();
    failed = !looked;
    if (failed) report(looked.error());
  }
}

void Namespaces::report(const Error& error) const {
  if (log_ != nullptr) log_->error(fmt::format("failed to sync a namespace: {}", error.text()));
}

std::unique_ptr<registry::Watch> Namespaces::watch(const registry::Query& query,
                                                   registry::ResourceVersion from) {
  return registry_.watch(query, from,
                         [this] { state_.change([](State& state) { state.ready = true; }); });
}

Result<Done> Namespaces::follow_all() {
  watches_.clear();
  terminating_.clear();
  PORTICO_TRY(const registry::Listing all, registry_.list({.type = kNamespace}));
  watches_.push_back(watch({.type = kNamespace}, all.version));
  watches_.push_back(watch({.type = kAccount, .name = kDefault}, all.version));
  for (const Value& ns : all.objects) {
    const std::string name(krm::name_of(ns));
    if (krm::is_deleting(ns)) follow(name);
    PORTICO_DO(settle(name));
  }
  return Done{};
}

void Namespaces::follow(const std::string& name) {
  if (!terminating_.contains(name))
    terminating_.emplace(name, watch({.ns = name}, registry_.version()));
}

Result<Done> Namespaces::look() {
  std::set<std::string> names;
  for (const auto& each : watches_)
    // on_ready is called once after next() has returned nothing, so read until it does.
    for (;;) {
      PORTICO_TRY(const auto events, each->next(std::chrono::milliseconds(0)));
      if (events.empty()) break;
      for (const registry::Event& event : events) {
        const bool itself = event.object["kind"].as_string() == kNamespace.kind;
        const std::string name(itself ? krm::name_of(event.object)
                                      : krm::namespace_of(event.object));
        const bool gone = event.change == registry::Change::kDeleted;
        if (itself && gone)
          terminating_.erase(name);
        else if (itself && krm::is_deleting(event.object))
          follow(name);
        if (itself != gone) names.insert(name);
      }
    }
  for (const auto& [name, each] : terminating_)
    for (;;) {
      PORTICO_TRY(const auto events, each->next(std::chrono::milliseconds(0)));
      if (events.empty()) break;
      names.insert(name);
    }
  Result<Done> all = Done{};
  for (const std::string& name : names)
    if (auto done = settle(name); !done) all = std::move(done).error().in(name);
  return all;
}

Result<Done> Namespaces::settle(const std::string& name) {
  constexpr int kMostTries = 10;
  for (int attempt = 1;; ++attempt) {
    const auto ns = registry_.get({kNamespace, "", name});
    if (!ns && ns.error().code == Code::kNotFound) return Done{};
    if (!ns) return ns.error();
    if (!krm::is_deleting(*ns)) return ensure_account(name);
    const auto left = clear(name);
    const auto done = !left           ? Result<Done>(left.error())
                      : left->empty() ? finalize(*ns)
                                      : tell_what_is_left(*ns, *left);
    if (done || done.error().code == Code::kNotFound) return Done{};
    if (done.error().code != Code::kConflict || attempt == kMostTries) return done.error();
  }
}

Result<Done> Namespaces::ensure_account(const std::string& name) {
  const krm::ObjectKey key{kAccount, name, kDefault};
  if (const auto found = registry_.get(key); found || found.error().code != Code::kNotFound)
    return found ? Result<Done>(Done{}) : Result<Done>(found.error());
  const auto made = registry_.commit(
      {{Verb::kCreate,
        Value::object({{"apiVersion", "v1"},
                       {"kind", kAccount.kind},
                       {"metadata", Value::object({{"name", kDefault}, {"namespace", name}})}})}});
  if (!made && made.error().reason != Reason::kAlreadyExists) return made.error();
  return Done{};
}

Result<std::vector<Value>> Namespaces::clear(const std::string& name) {
  PORTICO_TRY(registry::Listing all, registry_.list({.ns = name}));
  std::vector<registry::Write> writes;
  // Repositories first, so that nothing more is read from them.
  for (const bool repositories : {true, false})
    for (const Value& object : all.objects) {
      if ((krm::object_key(object).type == api::repository_kind()) != repositories) continue;
      const Value plain = without_git(object);
      if (plain.is_null()) {
        if (!krm::is_deleting(object)) writes.push_back({Verb::kDelete, without_version(object)});
        continue;
      }
      // One transaction: if the object has changed, it must not be deleted with its finalizer in
      // place.
      std::vector<registry::Write> both{{Verb::kUpdate, plain}};
      if (!krm::is_deleting(object)) both.push_back({Verb::kDelete, without_version(object)});
      if (const auto done = registry_.commit(both); !done && done.error().code != Code::kNotFound)
        return done.error();
    }
  for (const auto& done : registry_.commit_each(writes))
    if (!done && done.error().code != Code::kNotFound) return done.error();
  PORTICO_TRY(all, registry_.list({.ns = name}));
  return std::move(all.objects);
}

Result<Done> Namespaces::finalize(const Value& ns) {
  std::vector<std::string> finalizers = namespace_finalizers(ns);
  std::erase(finalizers, kFinalizer);
  const Value next =
      ns.with_at({"spec", "finalizers"},
                 Value::array(std::vector<Value>(finalizers.begin(), finalizers.end())));
  PORTICO_DO(registry_.commit({{Verb::kUpdate, namespace_kept(next)}}));
  return Done{};
}

Result<Done> Namespaces::tell_what_is_left(const Value& ns, const std::vector<Value>& left) {
  std::map<std::string, std::size_t> kinds, finalizers;
  for (const Value& object : left) {
    const krm::GroupKind kind = krm::object_key(object).type;
    ++kinds[kind.group.empty() ? kind.kind : fmt::format("{}.{}", kind.kind, kind.group)];
    for (const std::string& one : krm::finalizers_of(object)) ++finalizers[one];
  }
  const std::string now = rfc3339(clock_.now());
  const std::vector<Value> wanted = {
      condition("NamespaceDeletionDiscoveryFailure", false, "ResourcesDiscovered",
                "All resources successfully discovered", now),
      condition("NamespaceDeletionContentFailure", false, "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization", now),
      condition("NamespaceContentRemaining", true, "SomeResourcesRemain",
                "Some resources are remaining: " + counted(kinds, "has"), now),
      condition("NamespaceFinalizersRemaining", !finalizers.empty(),
                finalizers.empty() ? "ContentHasNoFinalizers" : "SomeFinalizersRemain",
                finalizers.empty() ? "All content-preserving finalizers finished"
                                   : "Some content in the namespace has finalizers remaining: " +
                                         counted(finalizers, "in"),
                now)};
  // Other conditions stay; an unchanged condition keeps its lastTransitionTime.
  std::vector<Value> conditions;
  for (const Value& had : ns["status"]["conditions"].items())
    if (std::none_of(wanted.begin(), wanted.end(),
                     [&](const Value& one) { return one["type"] == had["type"]; }))
      conditions.push_back(had);
  for (const Value& one : wanted) {
    const auto items = ns["status"]["conditions"].items();
    const auto had = std::find_if(items.begin(), items.end(), [&](const Value& each) {
      return each.without("lastTransitionTime") == one.without("lastTransitionTime");
    });
    conditions.push_back(had == items.end() ? one : *had);
  }
  const Value next = ns.with_at({"status", "conditions"}, Value::array(std::move(conditions)));
  if (next == ns) return Done{};
  PORTICO_DO(registry_.commit({{Verb::kUpdateStatus, next}}));
  return Done{};
}

Result<Value> Namespaces::remove(const Value& ns, bool dry_run) {
  const std::string name(krm::name_of(ns));
  std::vector<registry::Write> writes;
  if (!krm::is_deleting(ns) && !namespace_finalizers(ns).empty()) {
    auto finalizers = krm::finalizers_of(ns);
    finalizers.emplace_back(kFinalizer);
    const Value marked =
        krm::with_finalizers(ns, finalizers).with_at({"status", "phase"}, "Terminating");
    writes.push_back({Verb::kUpdateAll, marked});
    writes.push_back({Verb::kDelete, without_version(ns)});
  } else {
    writes.push_back({Verb::kDelete, ns});
  }
  PORTICO_TRY(auto done, dry_run ? registry_.dry_run(writes) : registry_.commit(writes));
  // It is marked as deleted even if this fails: the thread continues.
  if (!dry_run)
    if (const auto settled = settle(name); !settled) report(settled.error());
  return std::move(done.back());
}

}  // namespace portico::apiserver
