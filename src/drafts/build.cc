#include <algorithm>

#include "api/package_revision.h"
#include "base/tracer.h"
#include "drafts/internal/drafts_impl.h"
#include "krm/equal.h"
#include "merge/merge_key.h"
#include "package/clone.h"
#include "package/context.h"
#include "package/init.h"
#include "package/inject.h"
#include "package/kptfile.h"
#include "package/metadata.h"
#include "package/pipeline.h"
#include "package/replace.h"
#include "package/update_strategy.h"
#include "package/upgrade.h"
#include "packages/home.h"
#include "packages/lineage.h"
#include "render/render.h"
#include "render/report.h"

namespace portico::drafts {

using json::Value;

namespace {

api::GitLock lock_of(const Value& package_revision) {
  const Value& git = package_revision["status"]["selfLock"]["git"];
  return {std::string(git["repo"].as_string()), std::string(git["directory"].as_string()),
          std::string(git["ref"].as_string()), std::string(git["commit"].as_string())};
}

Result<krm::Package> with_origin(krm::Package package, const Value& upstream,
                                 const DraftRequest& request) {
  const Value& spec = upstream["spec"];
  if (const auto lifecycle = krm::parse_lifecycle(spec["lifecycle"].as_string());
      !lifecycle || !krm::is_published(*lifecycle))
    return invalid("upstream: {} is {}; specify a published revision", krm::name_of(upstream),
                   spec["lifecycle"].as_string());
  if (spec["repository"].as_string() == request.repository &&
      spec["packageName"].as_string() == request.package)
    return invalid("upstream: {} is a revision of the package itself", krm::name_of(upstream));
  PORTICO_TRY(krm::Object kptfile, package::kptfile_of(package));
  PORTICO_DO(package::set_upstream(kptfile, lock_of(upstream)), "Kptfile");
  package::put_kptfile(package, kptfile);
  return package;
}

// The requested strategy, else the one in the package's Kptfile.
Result<std::string> strategy_of(const DraftRequest& request, const krm::Package& ours) {
  if (!request.strategy.empty()) return request.strategy;
  return package::update_strategy_of(ours);
}

}  // namespace

Result<DraftsImpl::Content> DraftsImpl::upstream(const Value& package_revision, Marks marks) {
  return cached(content_name(package_revision), marks,
                [&] { return packages_.read(package_revision); });
}

// The tree; for servers that do not report it, the commit and directory.
std::string DraftsImpl::content_name(const Value& package_revision) {
  const Value& status = package_revision["status"];
  std::string tree(status["tree"].as_string());
  if (!tree.empty()) return tree;
  const api::GitLock lock = lock_of(package_revision);
  if (lock.commit.empty()) return "";
  return fmt::format("{}/{}@{}", lock.repo, lock.directory, lock.commit);
}

Result<DraftsImpl::Content> DraftsImpl::cached(const std::string& name, Marks marks,
                                               const std::function<Result<Content>()>& read) {
  const std::string marked = name + (marks == Marks::kMerge ? " marked" : "");
  if (auto known = upstreams_.with([&](krm::PackageCache& cache) { return cache.find(marked); }))
    return known;
  PORTICO_TRY(Content content, read());
  if (marks == Marks::kMerge) {
    PORTICO_TRY(krm::Package package, merge::with_merge_keys(*content));
    content = std::make_shared<const krm::Package>(std::move(package));
  }
  if (!name.empty()) upstreams_.with([&](krm::PackageCache& cache) { cache.add(marked, content); });
  return content;
}

Result<Built> DraftsImpl::build(const DraftRequest& request) {
  return traced("build", [&](Span&) { return make(request, true); });
}

Result<Built> DraftsImpl::make(const DraftRequest& request, bool show) {
  Built built;
  krm::Package package;
  if (const auto* source = std::get_if<VariantSource>(&request.source)) {
    PORTICO_TRY(package, variant(request, *source, show, built));
    // An upgrade always changes the upstreamLock.
    const bool unread = built.before == nullptr && !source->local.empty();
    built.changed = unread || built.before == nullptr || !krm::equal(*built.before, package);
  } else {
    if (const auto* rebase = std::get_if<RebaseSource>(&request.source)) {
      PORTICO_TRY(package, rebased(request, *rebase, built));
    } else {
      PORTICO_TRY(package, start(request, built));
      if (request.metadata) {
        PORTICO_TRY(package, package::set_metadata(std::move(package), *request.metadata));
      }
      PORTICO_TRY(package, again_rendered(std::move(package), request, built));
    }
    // Content written by a user is compared byte by byte, generated content as objects.
    const bool written = std::holds_alternative<ReplaceSource>(request.source);
    built.changed = built.before == nullptr ||
                    (written ? !(*built.before == package) : !krm::equal(*built.before, package));
  }
  if (!request.published.empty()) {
    PORTICO_TRY(const Value object, by_name(request.ns, request.published), "published");
    PORTICO_TRY(const Content published, packages_.read(object), "published");
    built.same_as_published = krm::equal(*published, package);
  }
  built.content = std::move(package);
  return built;
}

Result<krm::Package> DraftsImpl::start(const DraftRequest& request, Built& built) {
  const auto content_of = [&](const std::string& name) -> Result<Content> {
    PORTICO_TRY(const Value object, by_name(request.ns, name));
    return packages_.read(object);
  };
  if (const auto* init = std::get_if<InitSource>(&request.source))
    return package::init(request.package, {"", init->description, init->site, init->keywords});
  if (const auto* clone = std::get_if<CloneSource>(&request.source)) {
    PORTICO_TRY(const Value upstream, by_name(request.ns, clone->upstream), "upstream");
    PORTICO_TRY(const auto content, this->upstream(upstream, Marks::kMerge), "upstream");
    PORTICO_TRY(const packages::Home home,
                packages::home_of(registry_, request.ns, request.repository));
    PORTICO_TRY(krm::Package cloned,
                package::clone(*content, {request.package, lock_of(upstream), home.deployment}));
    if (request.strategy.empty()) return cloned;
    return package::with_update_strategy(std::move(cloned), request.strategy);
  }
  if (const auto* upgrade = std::get_if<UpgradeSource>(&request.source))
    return upgraded(request, *upgrade, built);
  if (const auto* copy = std::get_if<CopySource>(&request.source)) {
    PORTICO_TRY(built.before, content_of(copy->source), "source");
    return *built.before;
  }
  if (const auto* rollback = std::get_if<RollbackSource>(&request.source)) {
    PORTICO_TRY(built.before, content_of(rollback->onto), "published");
    PORTICO_TRY(const Content content, content_of(rollback->source), "source");
    return *content;
  }
  if (const auto* origin = std::get_if<OriginSource>(&request.source)) {
    PORTICO_TRY(built.before, content_of(origin->source), "source");
    PORTICO_TRY(const Value upstream, by_name(request.ns, origin->upstream), "upstream");
    return with_origin(*built.before, upstream, request);
  }
  if (!request.draft.empty()) {
    PORTICO_TRY(built.before, content_of(request.draft), "draft");
  }
  if (const auto* replace = std::get_if<ReplaceSource>(&request.source)) {
    if (!replace->lost_comments || built.before == nullptr) return replace->content;
    return package::with_lost_comments(replace->content, *built.before);
  }
  if (built.before == nullptr) return internal("a request without source and draft");
  return *built.before;
}

Result<krm::Package> DraftsImpl::upgraded(const DraftRequest& request, const UpgradeSource& source,
                                          Built& built) {
  PORTICO_TRY(const Value local, by_name(request.ns, source.local), "local");
  PORTICO_TRY(const Value theirs, by_name(request.ns, source.new_upstream), "new upstream");
  PORTICO_TRY(built.before, packages_.read(local), "local");
  PORTICO_TRY(const auto new_content, upstream(theirs, Marks::kAsStored), "new upstream");

  package::UpgradeRequest upgrade;
  upgrade.ours = *built.before;
  upgrade.theirs = *new_content;
  if (!source.old_upstream.empty()) {
    PORTICO_TRY(const Value old, by_name(request.ns, source.old_upstream), "old upstream");
    PORTICO_TRY(const auto content, upstream(old, Marks::kAsStored), "old upstream");
    upgrade.base = *content;
  } else {
    PORTICO_TRY(const auto content, base_of(local, theirs), "old upstream");
    upgrade.base = *content;
  }
  PORTICO_TRY(const std::string strategy, strategy_of(request, upgrade.ours));
  PORTICO_TRY(upgrade.strategy, merge::parse_strategy(strategy),
              request.strategy.empty() ? "Kptfile: upstream.updateStrategy" : "strategy");
  upgrade.on_conflict = request.on_conflict;
  const api::GitLock lock = lock_of(theirs);
  const std::vector<json::Member> place{
      {"repo", lock.repo}, {"directory", lock.directory}, {"ref", lock.ref}};
  upgrade.upstream = Value::object({{"type", "git"}, {"git", Value::object(place)}});
  upgrade.upstream_lock = upgrade.upstream->with_at({"git", "commit"}, lock.commit);
  upgrade.name = package::leaf_name(request.package);
  PORTICO_TRY(merge::MergedPackage merged, package::upgrade(upgrade), "upgrade");
  built.conflicts = std::move(merged.conflicts);
  return std::move(merged.package);
}

Result<DraftsImpl::Content> DraftsImpl::base_of(const Value& local, const Value& theirs) {
  const std::string commit(local["status"]["upstreamLock"]["git"]["commit"].as_string());
  if (commit.empty())
    return invalid("{} has no upstreamLock: its upstream revision is unknown", krm::name_of(local));
  // The revision that it was made from may have moved or be gone; its commit remains.
  if (const auto old = packages::upstream_of(registry_, local);
      old && (*old)["status"]["selfLock"]["git"]["commit"].as_string() == commit)
    return upstream(*old, Marks::kAsStored);
  const std::string ns(krm::namespace_of(theirs)),
      repository(theirs["spec"]["repository"].as_string()),
      package(theirs["spec"]["packageName"].as_string());
  return cached(fmt::format("{}/{}/{}@{}", ns, repository, package, commit), Marks::kAsStored,
                [&] { return packages_.read_at(ns, repository, package, commit); });
}

Result<package::InjectionObjects> DraftsImpl::injection_objects(
    const std::vector<package::InjectionPoint>& points,
    const std::vector<api::InjectionSelector>& injectors, const std::string& ns) const {
  package::InjectionObjects objects;
  for (const auto& [type, names] : package::wanted_objects(points, injectors)) {
    const krm::GroupVersion version = krm::group_version(type.api_version);
    std::vector<Value> found;
    for (const std::string& name : names) {
      auto object = registry_.get({{version.group, type.kind}, ns, name});
      if (!object && object.error().code != Code::kNotFound) return object.error().in("injection");
      if (object && (*object)["apiVersion"].as_string() == type.api_version)
        found.push_back(std::move(*object));
    }
    objects.emplace(type, std::move(found));
  }
  return objects;
}

Result<krm::Package> DraftsImpl::mutated(krm::Package package, const Mutations& mutations,
                                         const std::string& ns, Built& built) const {
  PORTICO_TRY(package, package::set_context(std::move(package), mutations.context),
              "packageContext");
  PORTICO_TRY(package,
              package::set_pipeline(std::move(package), mutations.variant, mutations.pipeline),
              "pipeline");
  PORTICO_TRY(const auto points, package::find_injection_points(package), "injection");
  PORTICO_DO(package::validate_injection_points(points), "injection");
  PORTICO_TRY(const package::InjectionObjects objects,
              injection_objects(points, mutations.injectors, ns));
  PORTICO_TRY(package::Injection injection,
              package::inject(std::move(package), mutations.injectors, objects), "injection");
  built.injected = std::move(injection.records);
  return std::move(injection.package);
}

Result<krm::Package> DraftsImpl::rendered(const krm::Package& package, const DraftRequest& request,
                                          Built& built) const {
  render::Options options;
  options.package_name = package::leaf_name(request.package);
  PORTICO_TRY(render::Rendered out, traced("render", [&](Span& span) {
                auto done = render::render(package, runner_, options);
                if (done && done->failure) span.fail(done->failure->text());
                return done;
              }));
  for (const render::PackageRun& run : out.packages)
    for (const render::FunctionRun& function : run.functions)
      built.results.insert(built.results.end(), function.results.begin(), function.results.end());
  if (out.failure) return std::move(*out.failure);
  const bool ran =
      std::any_of(out.packages.begin(), out.packages.end(),
                  [](const render::PackageRun& run) { return !run.functions.empty(); });
  if (ran) {
    PORTICO_TRY(const krm::Object list, krm::Object::parse(render::result_list(out)));
    // Porch's CustomResourceDefinition of PackageVariants requires both.
    built.render_status = Value::object({{"error", ""}, {"result", list.value()}});
  }
  return std::move(out.package);
}

}  // namespace portico::drafts
