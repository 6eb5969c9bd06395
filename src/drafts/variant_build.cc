// A variant's package: the pristine build of its inputs, merged with users' edits.
#include <algorithm>

#include "api/package_revision.h"
#include "base/hash.h"
#include "drafts/internal/drafts_impl.h"
#include "drafts/internal/stopwatch.h"
#include "json/text.h"
#include "krm/equal.h"
#include "merge/merge_key.h"
#include "package/builds.h"
#include "package/clone.h"
#include "package/inject.h"
#include "packages/home.h"
#include "packages/lineage.h"

namespace portico::drafts {

using json::Value;

namespace {

api::GitLock lock_of(const Value& git) {
  return {std::string(git["repo"].as_string()), std::string(git["directory"].as_string()),
          std::string(git["ref"].as_string()), std::string(git["commit"].as_string())};
}

std::string text_at(const Value& object, const char* field) {
  return std::string(object["spec"][field].as_string());
}

// The inputs of a build except injected objects. The variant's name counts only if it is written to
// the package: in the names of its functions.
Value inputs_of(const DraftRequest& request, const std::string& upstream, const api::GitLock& lock,
                bool deployment) {
  api::PackageVariantSpec mutations;
  mutations.package_context = request.mutations->context;
  mutations.pipeline = request.mutations->pipeline;
  mutations.injectors = request.mutations->injectors;
  const api::Pipeline& pipeline = request.mutations->pipeline;
  const bool named = !pipeline.mutators.empty() || !pipeline.validators.empty();
  return Value::object({{"upstream", upstream},
                        {"lock", Value::array({lock.repo, lock.directory, lock.ref, lock.commit})},
                        {"name", package::leaf_name(request.package)},
                        {"deployment", deployment},
                        {"variant", named ? request.mutations->variant : std::string()},
                        {"mutations", api::encode(mutations)}});
}

}  // namespace

Result<DraftsImpl::Upstream> DraftsImpl::upstream_of(const Value& package_revision) {
  Upstream out;
  PORTICO_TRY(out.content, upstream(package_revision, Marks::kMerge));
  out.lock = lock_of(package_revision["status"]["selfLock"]["git"]);
  out.tree = content_name(package_revision);
  return out;
}

Result<DraftsImpl::Upstream> DraftsImpl::locked_upstream(const Value& local, const Value& like) {
  const Value& lock = local["status"]["upstreamLock"]["git"];
  Upstream out;
  out.lock = lock_of(lock);
  // The revision that it was made from may have moved or be gone; its commit remains.
  if (const auto old = packages::upstream_of(registry_, local);
      old && (*old)["status"]["selfLock"]["git"]["commit"] == lock["commit"]) {
    PORTICO_TRY(out.content, upstream(*old, Marks::kMerge));
    out.tree = content_name(*old);
    return out;
  }
  const std::string ns(krm::namespace_of(like)), repository = text_at(like, "repository"),
                                                 package = text_at(like, "packageName");
  out.tree = fmt::format("{}/{}/{}@{}", ns, repository, package, out.lock.commit);
  PORTICO_TRY(out.content, cached(out.tree, Marks::kMerge, [&] {
                return packages_.read_at(ns, repository, package, out.lock.commit);
              }));
  return out;
}

Result<std::shared_ptr<const DraftsImpl::Pristine>> DraftsImpl::pristine(
    const DraftRequest& request, const Upstream& upstream, std::chrono::nanoseconds& render_time) {
  PORTICO_TRY(const packages::Home home,
              packages::home_of(registry_, request.ns, request.repository));
  const Mutations& mutations = *request.mutations;
  // The injection points, which are the upstream's, determine which objects are inputs.
  PORTICO_TRY(const auto points, package::find_injection_points(*upstream.content), "injection");
  PORTICO_DO(package::validate_injection_points(points), "injection");
  PORTICO_TRY(const package::InjectionObjects objects,
              injection_objects(points, mutations.injectors, request.ns));
  std::vector<Value> injected;
  for (const auto& [type, found] : objects)
    if (found)
      for (const Value& each : *found)
        injected.push_back(Value::array({type.api_version, type.kind, krm::name_of(each),
                                         krm::uid_of(each), package::content_hash(each)}));
  const Value inputs = inputs_of(request, upstream.tree, upstream.lock, home.deployment)
                           .with("injected", Value::array(std::move(injected)));
  const std::string name = sha256_hex(json::print(inputs));
  const bool known_tree = !upstream.tree.empty();
  if (known_tree)
    if (auto known = pristine_.with([&](auto& cache) { return cache.find(name); })) return known;

  Pristine out;
  PORTICO_TRY(krm::Package package,
              package::clone(*upstream.content, {request.package, upstream.lock, home.deployment}));
  Built built;
  PORTICO_TRY(package, mutated(std::move(package), mutations, request.ns, built));
  if (request.render) {
    const Stopwatch watch;
    PORTICO_TRY(package, rendered(package, request, built), "render");
    render_time += watch.elapsed();
  }
  const std::size_t bytes = krm::bytes_of(package);
  out.content = std::make_shared<const krm::Package>(std::move(package));
  out.results = std::move(built.results);
  out.render_status = std::move(built.render_status);
  out.injected = std::move(built.injected);
  auto shared = std::make_shared<const Pristine>(std::move(out));
  if (known_tree) pristine_.with([&](auto& cache) { cache.add(name, shared, bytes); });
  return shared;
}

Result<DraftsImpl::Base> DraftsImpl::base_build(const DraftRequest& request, const Value& local,
                                                const Value& upstream, Built& built) {
  PORTICO_TRY(const auto recorded, packages_.pristine_of(local));
  if (recorded) {
    auto content =
        packages_.read_at(request.ns, request.repository, request.package, recorded->commit);
    if (content) return Base{*std::move(content), true};
    if (content.error().code != Code::kNotFound) return std::move(content).error();
  }
  // Without a recorded build: what the current inputs make of the upstream that it is locked to.
  PORTICO_TRY(const Upstream before, locked_upstream(local, upstream));
  PORTICO_TRY(const auto build, pristine(request, before, built.render_time));
  return Base{build->content, false};
}

Result<krm::Package> DraftsImpl::variant(const DraftRequest& request, const VariantSource& source,
                                         bool show, Built& built) {
  PORTICO_TRY(const Value upstream_object, by_name(request.ns, source.upstream), "upstream");
  PORTICO_TRY(const Upstream upstream, upstream_of(upstream_object), "upstream");
  Value local;
  if (!source.local.empty()) {
    PORTICO_TRY(local, by_name(request.ns, source.local), "local");
    if (local["status"]["upstreamLock"]["git"]["commit"].as_string().empty()) {
      // Without an upstreamLock: applies the inputs to the existing content.
      PORTICO_TRY(built.before, packages_.read(local), "local");
      PORTICO_TRY(krm::Package package,
                  mutated(*built.before, *request.mutations, request.ns, built));
      return again_rendered(std::move(package), request, built);
    }
  }
  PORTICO_TRY(const auto theirs, pristine(request, upstream, built.render_time));
  built.results = theirs->results;
  built.render_status = theirs->render_status;
  built.injected = theirs->injected;
  built.pristine = theirs->content;
  if (request.inputs_hash) built.inputs = request.inputs_hash(built.injected);
  if (local.is_null()) return *theirs->content;

  const Value &tree = local["status"]["tree"], &made = local["status"]["pristine"]["tree"];
  const bool unedited = !tree.as_string().empty() && tree == made;
  if (show || !unedited || !source.upgrade) {
    PORTICO_TRY(built.before, packages_.read(local), "local");
  }
  if (unedited) return *theirs->content;
  return with_edits(request, source, local, theirs->content, built);
}

Result<krm::Package> DraftsImpl::with_edits(const DraftRequest& request,
                                            const VariantSource& source, const Value& local,
                                            const Content& theirs, Built& built) {
  PORTICO_TRY(const merge::Strategy strategy, merge::parse_strategy(request.strategy), "strategy");
  if (strategy == merge::Strategy::kForceDeleteReplace) return *theirs;
  PORTICO_TRY(const Value upstream, by_name(request.ns, source.upstream), "upstream");
  auto base = base_build(request, local, upstream, built);
  krm::Package package;
  if (base) {
    package::MergeBuilds builds;
    builds.base = *base->content;
    builds.theirs = *theirs;
    builds.ours = *built.before;
    builds.strategy = strategy;
    builds.on_conflict = request.on_conflict;
    PORTICO_TRY(merge::MergedPackage merged, package::merge_builds(builds), "upgrade");
    built.conflicts = std::move(merged.conflicts);
    package = std::move(merged.package);
    built.edits = package::local_edits(*theirs, package);
    if (built.edits.empty() && base->recorded) return package;
  } else {
    // Its base cannot be built: falls back to kpt's merge of the sources.
    auto merged = upgraded(request, UpgradeSource{"", source.upstream, source.local}, built);
    if (!merged) {
      const std::string commit(
          local["status"]["upstreamLock"]["git"]["commit"].as_string().substr(0, 8));
      if (merged.error().code != Code::kNotFound) return std::move(merged).error();
      return invalid(
          "the upstream commit {} that {} was created from cannot be found ({}); set "
          "spec.upgradeStrategy to force-delete-replace to discard local changes, or specify its "
          "upstream revision: portico rpkg rebase {} --onto UPSTREAM_REVISION",
          commit, krm::name_of(local), merged.error().text(), krm::name_of(local));
    }
    package = *std::move(merged);
  }
  // Content without a recorded build may not have the inputs yet.
  if (!base || !base->recorded) {
    PORTICO_TRY(package, mutated(std::move(package), *request.mutations, request.ns, built));
  }
  return again_rendered(std::move(package), request, built);
}

Result<krm::Package> DraftsImpl::again_rendered(krm::Package package, const DraftRequest& request,
                                                Built& built) const {
  if (!request.render) return package;
  built.results.clear();
  built.render_status = Value();
  const Stopwatch watch;
  PORTICO_TRY(package, rendered(package, request, built), "render");
  built.render_time += watch.elapsed();
  return package;
}

Result<krm::Package> DraftsImpl::rebased(const DraftRequest& request, const RebaseSource& source,
                                         Built& built) {
  PORTICO_TRY(const Value draft, by_name(request.ns, request.draft), "draft");
  PORTICO_TRY(const Value onto, by_name(request.ns, source.onto), "onto");
  PORTICO_TRY(built.before, packages_.read(draft), "draft");
  PORTICO_TRY(const Content published, packages_.read(onto), "onto");
  package::MergeBuilds builds;
  if (const Value& base = draft["status"]["base"]; !base["tree"].as_string().empty()) {
    PORTICO_TRY(const Content content,
                packages_.read_at(request.ns, request.repository, request.package,
                                  std::string(base["commit"].as_string())),
                "base");
    builds.base = *content;
  }
  // The draft's changes are applied to the published content: the Kptfile is the draft's, and
  // published edits stay.
  builds.ours = *published;
  builds.theirs = *built.before;
  builds.on_conflict =
      request.on_conflict == merge::OnConflict::kUpstream ? merge::OnConflict::kLocal
      : request.on_conflict == merge::OnConflict::kLocal  ? merge::OnConflict::kUpstream
                                                          : merge::OnConflict::kFail;
  PORTICO_TRY(merge::MergedPackage merged, package::merge_builds(builds), "rebase");
  built.conflicts = std::move(merged.conflicts);
  for (merge::Conflict& conflict : built.conflicts) {
    std::swap(conflict.ours, conflict.theirs);
    conflict.took_theirs = !conflict.took_theirs;
  }
  return again_rendered(std::move(merged.package), request, built);
}

}  // namespace portico::drafts
