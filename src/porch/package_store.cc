#include "porch/package_store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "api/kinds.h"
#include "base/guarded.h"
#include "packages/base.h"
#include "packages/lineage.h"
#include "packages/names.h"
#include "porch/internal/resources.h"
#include "porch/porch.h"
#include "porch/refusals.h"

namespace portico::porch {

using json::Value;
using packages::Actor;
using packages::SaveRequest;

namespace {

constexpr std::size_t kPage = 500;
constexpr int kMostWorkspaces = 100;  // limit for a free workspace name

class Store : public packages::PackageStore {
 public:
  explicit Store(StoreOptions options)
      : options_(std::move(options)),
        api_(options_.api),
        registry_(options_.registry),
        revisions_(make_revisions(api_)) {}

  // ---- reads

  Result<std::shared_ptr<const krm::Package>> read(const Value& revision) override {
    auto content = read_resources(api_, revision);
    if (!content) return sorted(std::move(content).error());
    return content;
  }

  Result<std::shared_ptr<const krm::Package>> read_some(const Value& revision,
                                                        const krm::WantedPath& wanted) override {
    PORTICO_TRY(const auto whole, read(revision));
    return only_wanted(*whole, wanted);
  }

  Result<std::shared_ptr<const krm::Package>> read_at(const std::string& ns,
                                                      const std::string& repository,
                                                      const std::string& package,
                                                      const std::string& commit) override {
    PORTICO_TRY(const auto revisions, packages::revisions_of(registry_, ns, repository, package));
    for (const Value& each : revisions)
      if (each["status"]["selfLock"]["git"]["commit"].as_string() == commit) return read(each);
    return not_found("no revision of {}/{} is at commit {}", repository, package,
                     commit.substr(0, 8));
  }

  Result<std::optional<packages::Pristine>> pristine_of(const Value&) override {
    return std::optional<packages::Pristine>();
  }
  Result<std::vector<packages::Change>> history(const Value&, std::size_t) override {
    return not_here("the history of a package revision");
  }
  Result<std::vector<packages::Change>> log(const Value&, std::size_t) override {
    return not_here("the log of a package revision");
  }
  Result<Done> check(const Value&, const Value&) override {
    return not_here("checking a repository");
  }
  Result<packages::Synced> sync(const Value&) override { return not_here("a sync"); }
  Result<Done> forget(const std::string&, const std::string&) override {
    return not_here("forgetting a repository");
  }

  // ---- transitions

  Result<Value> propose(const krm::ObjectKey& key, const Actor& actor) override {
    return shown([&] { return revisions_->propose(key, actor); });
  }
  Result<Value> approve(const krm::ObjectKey& key, const Actor& actor) override {
    return shown([&] { return revisions_->approve(key, actor); });
  }
  Result<Value> reject(const krm::ObjectKey& key, const Actor& actor) override {
    return shown([&] { return revisions_->reject(key, actor); });
  }
  Result<Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) override {
    return shown([&] { return revisions_->propose_deletion(key, actor); });
  }

  Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) override {
    const registry::ResourceVersion since = registry_.version();
    const auto last = registry_.get(key);
    PORTICO_DO(revisions_->remove(key, actor));
    // With finalizers it still exists, and the watch reports it.
    if (last && krm::finalizers_of(*last).empty()) options_.wrote_gone(*last, since);
    return Done{};
  }

  // ---- drafts

  Result<Value> save(const SaveRequest& request) override {
    if (!request.draft.is_null() && !request.onto.is_null()) return moved(request);
    if (!request.draft.is_null()) return filled(request.draft, request.content);
    PORTICO_DO(drop_others(request));
    PORTICO_TRY(const Value begun, begin(request));
    note(request, begun);
    auto saved = filled(begun, request.content);
    // A rejected draft would be rejected on every retry, so none is left half-made.
    const bool for_good = !saved && saved.error().code == Code::kInvalid;
    if (for_good) discard(begun);
    if (saved || for_good) forget_begun(request);
    return saved;
  }

 private:
  static Error not_here(std::string_view what) {
    return invalid("{} is not available through the API of porch.kpt.dev", what);
  }

  /// Sends a request whose response is the object, and shows that to the registry's readers.
  template <class Send>
  Result<Value> shown(const Send& send) {
    const registry::ResourceVersion since = registry_.version();
    Result<Value> answer = send();
    if (answer) options_.wrote(*answer, since);
    return answer;
  }

  Result<cluster::Resource> resource() { return api_.resource(api::revision_kind()); }

  /// Sets the draft's content; returns the draft as the server then has it.
  Result<Value> filled(const Value& draft, const krm::Package& content) {
    if (auto done = write_resources(api_, draft, content); !done)
      return sorted(std::move(done).error());
    PORTICO_TRY(const cluster::Resource of, resource());
    const registry::ResourceVersion since = registry_.version();
    auto now = api_.get(of, krm::namespace_of(draft), krm::name_of(draft));
    if (!now) return sorted(std::move(now).error());
    if (is_half_made(*now))
      return internal("{} still has readiness gate \"{}\" although its content is complete",
                      krm::name_of(draft), kBuiltGate);
    options_.wrote(*now, since);
    return now;
  }

  /// A new draft, or the one that an earlier try left half-made.
  Result<Value> begin(const SaveRequest& request) {
    PORTICO_TRY(const Value task, first_task(request));
    auto made = create(request, task);
    // If the clone cannot be rendered, possibly for lack of the variant's inputs, starts with an
    // empty package.
    if (!made && failed_to_render(made.error()) && request.base.is_null())
      made = create(request, Value::object({{"type", "init"}, {"init", Value::object()}}));
    if (made || made.error().reason != Reason::kAlreadyExists) return made;
    PORTICO_TRY(const cluster::Resource of, resource());
    const auto there =
        api_.get(of, request.ns,
                 packages::object_name(request.repository, request.package, request.workspace));
    if (!there || !is_half_made(*there)) return made;
    const std::string_view variant = krm::annotation_of(*there, api::kVariantAnnotation);
    if (variant == request.variant) return *there;
    if (!variant.empty()) return made;
    // The server was killed after it had written the draft to git, and lost its variant. The draft
    // is hidden, and only the leader begins drafts, so it is safe to delete.
    const auto gone = api_.remove(of, request.ns, krm::name_of(*there), Value::object());
    if (!gone && gone.error().code != Code::kNotFound) return sorted(gone.error());
    made = create(request, task);
    if (!made && made.error().reason == Reason::kAlreadyExists)
      return unavailable("an incomplete draft {} already exists and is being removed",
                         krm::name_of(*there));
    return made;
  }

  Result<Value> create(const SaveRequest& request, const Value& task) {
    PORTICO_TRY(const cluster::Resource of, resource());
    std::vector<json::Member> metadata{{"namespace", Value(request.ns)}};
    for (const char* field : {"labels", "annotations", "ownerReferences", "finalizers"})
      if (const Value& had = request.object["metadata"][field]; !had.empty())
        metadata.push_back({field, had});
    Value object = Value::object(
        {{"apiVersion", Value(api::kPorchV1Alpha1)},
         {"kind", Value(api::kRevisionKind)},
         {"metadata", Value::object(std::move(metadata))},
         {"spec", Value::object(
                      {{"packageName", Value(request.package)},
                       {"repository", Value(request.repository)},
                       {"workspaceName", Value(request.workspace)},
                       {"lifecycle", Value(api::kDraft)},
                       {"tasks", Value::array({task})},
                       {"readinessGates",
                        Value::array({Value::object({{"conditionType", Value(kBuiltGate)}})})}})}});
    if (!request.variant.empty())
      object = object.with_at({"metadata", "annotations", api::kVariantAnnotation},
                              Value(request.variant));
    auto made = api_.create(of, object);
    if (!made) return sorted(std::move(made).error());
    return made;
  }

  /// The task's result does not matter, because the content is replaced; but the server records the
  /// task and keeps files that are not text. Porch makes further revisions of a package only from a
  /// published one.
  Result<Value> first_task(const SaveRequest& request) {
    if (!request.base.is_null()) {
      Value base = request.base;
      if (base["spec"]["revision"].as_int() <= 0) {
        PORTICO_TRY(const auto all, packages::revisions_of(registry_, request.ns,
                                                           request.repository, request.package));
        base = packages::latest_published(all);
        if (base.is_null()) base = request.base;
      }
      return Value::object(
          {{"type", "edit"},
           {"edit",
            Value::object({{"sourceRef", Value::object({{"name", krm::name_of(base)}})}})}});
    }
    for (const Value& task : request.object["spec"]["tasks"].items())
      if (task["type"].as_string() == "clone") return task;
    if (request.task["type"].as_string() == "clone") return request.task;
    return Value::object({{"type", "init"}, {"init", Value::object()}});
  }

  /// The API cannot move a draft onto another base: a new draft replaces it, and the old one is
  /// deleted once the new one is complete.
  Result<Value> moved(const SaveRequest& request) {
    SaveRequest fresh = request;
    fresh.draft = Value();
    fresh.base = request.onto;
    fresh.onto = Value();
    fresh.object = request.draft;
    for (int i = 1; i <= kMostWorkspaces; ++i) {
      fresh.workspace = fmt::format("{}-{}", request.workspace, i);
      const krm::ObjectKey key = packages::revision_key(
          request.ns, packages::object_name(request.repository, request.package, fresh.workspace));
      const auto there = registry_.get(key);
      if (!there && there.error().code != Code::kNotFound) return there.error();
      // Begun by an earlier try that could not delete the old one.
      const bool ours = there && (*there)["spec"]["lifecycle"].as_string() == "Draft" &&
                        !request.variant.empty() &&
                        krm::annotation_of(*there, api::kVariantAnnotation) == request.variant;
      if (there && !ours) continue;
      PORTICO_TRY(const Value saved, ours ? filled(*there, request.content) : save(fresh));
      PORTICO_DO(remove(krm::object_key(request.draft), request.actor));
      return saved;
    }
    return invalid("there are already {} workspaces besides {:?}; remove some", kMostWorkspaces,
                   request.workspace);
  }

  // ---- half-made drafts

  void note(const SaveRequest& request, const Value& begun) {
    if (request.variant.empty()) return;
    begun_.with([&](auto& all) { all[request.variant] = begun; });
  }
  void forget_begun(const SaveRequest& request) {
    begun_.with([&](auto& all) { all.erase(request.variant); });
  }

  /// Deletes another draft that the variant began before and no longer wants.
  Result<Done> drop_others(const SaveRequest& request) {
    const Value other = begun_.with([&](auto& all) {
      const auto at = all.find(request.variant);
      return at == all.end() ? Value() : at->second;
    });
    if (other.is_null()) return Done{};
    const Value& spec = other["spec"];
    if (spec["repository"].as_string() == request.repository &&
        spec["packageName"].as_string() == request.package &&
        spec["workspaceName"].as_string() == request.workspace)
      return Done{};
    PORTICO_TRY(const cluster::Resource of, resource());
    const auto gone =
        api_.remove(of, krm::namespace_of(other), krm::name_of(other), Value::object());
    if (!gone && gone.error().code != Code::kNotFound) return sorted(gone.error());
    forget_begun(request);
    return Done{};
  }

  void discard(const Value& begun) {
    const auto of = resource();
    if (!of) return;
    const auto gone =
        api_.remove(*of, krm::namespace_of(begun), krm::name_of(begun), Value::object());
    if (!gone && options_.log != nullptr)
      options_.log->warning(
          "cannot remove an incomplete draft",
          {{"packageRevision", std::string(krm::name_of(begun))}, {"error", gone.error().text()}});
  }

  const StoreOptions options_;
  cluster::Api& api_;
  const registry::Registry& registry_;
  const std::unique_ptr<packages::Revisions> revisions_;
  Guarded<std::map<std::string, Value>> begun_;  // by variant
};

}  // namespace

bool is_half_made(const Value& package_revision) {
  if (package_revision["spec"]["lifecycle"].as_string() != api::kDraft) return false;
  const auto& gates = package_revision["spec"]["readinessGates"].items();
  return std::any_of(gates.begin(), gates.end(), [](const Value& gate) {
    return gate["conditionType"].as_string() == kBuiltGate;
  });
}

Value without_half_made(const Value& object) {
  return krm::group_kind(object) == api::revision_kind() && is_half_made(object) ? Value() : object;
}

std::unique_ptr<packages::PackageStore> make_package_store(StoreOptions options) {
  return std::make_unique<Store>(std::move(options));
}

Result<std::size_t> remove_half_made(cluster::Api& api, const std::string& ns) {
  PORTICO_TRY(const cluster::Resource resource, api.resource(api::revision_kind()));
  std::size_t removed = 0;
  cluster::ListOptions asked{.ns = ns, .limit = kPage};
  do {
    PORTICO_TRY(const cluster::Page page, api.list(resource, asked));
    for (const Value& each : page.items) {
      if (!is_half_made(each)) continue;
      const auto gone =
          api.remove(resource, krm::namespace_of(each), krm::name_of(each), Value::object());
      if (!gone && gone.error().code != Code::kNotFound) return sorted(gone.error());
      ++removed;
    }
    asked.next = page.next;
  } while (!asked.next.empty());
  return removed;
}

}  // namespace portico::porch
