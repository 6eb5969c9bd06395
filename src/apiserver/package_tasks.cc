#include "apiserver/package_tasks.h"

#include "api/kinds.h"
#include "packages/package_store.h"

namespace portico::apiserver {

using json::Value;

namespace {

constexpr const char* kTask = "spec.tasks[0]";
constexpr int kBranchHead = -1;

bool is_published(const Value& revision) {
  const auto lifecycle = krm::parse_lifecycle(revision["spec"]["lifecycle"].as_string());
  return lifecycle && krm::is_published(*lifecycle);
}

bool is_placeholder(const Value& revision) {
  return revision["spec"]["revision"].as_int() == kBranchHead;
}

std::string repository_and_name(const Value& revision) {
  return fmt::format("{}/{}", revision["spec"]["repository"].as_string(), krm::name_of(revision));
}

/// Resolves what tasks name.
class Tasks {
 public:
  Tasks(const registry::Registry& registry, const std::string& ns,
        const api::PackageRevisionSpec& spec)
      : registry_(registry), ns_(ns), spec_(spec) {}

  Result<drafts::Source> source() const {
    if (spec_.tasks.empty())
      return drafts::Source(
          drafts::InitSource{fmt::format("{} description", spec_.package_name), "", {}});
    const api::Task& task = spec_.tasks.front();
    if (task.init) return init(*task.init);
    if (task.clone) return clone(task.clone->upstream);
    if (task.edit) return edit(*task.edit);
    return upgrade(*task.upgrade);
  }

 private:
  static Result<drafts::Source> init(const api::InitTask& task) {
    if (!task.subpackage.empty())
      return invalid(
                 "a package revision is a whole package: \"{}\" cannot be created in it by an init "
                 "task; create the package, then write the files of its subpackage",
                 task.subpackage)
          .in("spec.tasks[0].init.subpackage");
    return drafts::Source(drafts::InitSource{task.description, task.site, task.keywords});
  }

  Result<drafts::Source> clone(const api::UpstreamPackage& upstream) const {
    const std::string place = fmt::format("{}.clone.upstreamRef", kTask);
    if (upstream.upstream_ref) {
      const std::string& name = upstream.upstream_ref->name;
      if (name.empty()) return invalid("upstreamRef.name is required").in(place);
      PORTICO_TRY(const Value found,
                  named(name, fmt::format("failed to fetch package revision {:?}", name)), place);
      return drafts::Source(drafts::CloneSource{std::string(krm::name_of(found))});
    }
    if (upstream.oci) return invalid("clone from OCI is not implemented").in(place);
    if (!upstream.git)
      return invalid("invalid clone source (neither of git, oci, nor upstream were specified)")
          .in(place);
    PORTICO_TRY(const std::string name, at_address(*upstream.git), place + ".git");
    return drafts::Source(drafts::CloneSource{name});
  }

  Result<drafts::Source> edit(const api::EditTask& task) const {
    const std::string place = fmt::format("{}.edit.sourceRef", kTask);
    if (!task.source) return invalid("sourceRef.name is required").in(place);
    const std::string& name = task.source->name;
    PORTICO_TRY(const Value found, named(name, fmt::format("failed to fetch package {:?}", name)),
                place);
    if (found["spec"]["repository"].as_string() != spec_.repository ||
        found["spec"]["packageName"].as_string() != spec_.package_name)
      return invalid("source revision must be from same package {}/{}", spec_.repository,
                     spec_.package_name)
          .in(place);
    if (is_placeholder(found))
      return invalid("source revision may not be the placeholder package revision {}",
                     repository_and_name(found))
          .in(place);
    if (!is_published(found)) return invalid("source revision must be published").in(place);
    return drafts::Source(drafts::CopySource{name});
  }

  Result<drafts::Source> upgrade(const api::UpgradeTask& task) const {
    const std::string place = fmt::format("{}.upgrade", kTask);
    const std::string &older = task.old_upstream.name, &newer = task.new_upstream.name,
                      &mine = task.local.name;
    PORTICO_TRY(const Value old_upstream,
                named(older, fmt::format("error fetching the resources for package {:?} with ref "
                                         "{{Name:{}}}",
                                         spec_.package_name, older)),
                place + ".oldUpstreamRef");
    PORTICO_TRY(
        const Value new_upstream,
        named(newer, fmt::format("error fetching revision for target upstream {:?}", newer)),
        place + ".newUpstreamRef");
    PORTICO_TRY(const Value local,
                named(mine, fmt::format("error fetching revision {:?} to be upgraded", mine)),
                place + ".localPackageRevisionRef");
    if (is_placeholder(new_upstream))
      return invalid("target upstream revision may not be the placeholder package revision {}",
                     repository_and_name(new_upstream))
          .in(place + ".newUpstreamRef");
    if (is_placeholder(local))
      return invalid("source revision may not be the placeholder package revision {}",
                     repository_and_name(local))
          .in(place + ".localPackageRevisionRef");
    for (const Value* each : {&old_upstream, &new_upstream, &local})
      if (!is_published(*each))
        return invalid("all source PackageRevisions of upgrade task must be published, {:?} is not",
                       krm::name_of(*each))
            .in(place);
    return drafts::Source(drafts::UpgradeSource{older, newer, mine});
  }

  Result<Value> named(const std::string& name, const std::string& otherwise) const {
    auto found = registry_.get(packages::revision_key(ns_, name));
    if (found || found.error().code != Code::kNotFound) return found;
    return invalid("{}: cannot find package revision {:?}", otherwise, name);
  }

  // Resolves the ref like git: first a tag of the package, then a tag or branch of that name.
  Result<std::string> at_address(const api::UpstreamPackage::Git& git) const {
    const auto plain = [](std::string_view url) {
      while (url.ends_with('/')) url.remove_suffix(1);
      if (url.ends_with(".git")) url.remove_suffix(4);
      return url;
    };
    std::string_view directory = git.directory;
    while (directory.starts_with('/')) directory.remove_prefix(1);
    while (directory.ends_with('/')) directory.remove_suffix(1);
    PORTICO_TRY(const registry::Listing all,
                registry_.list({.type = api::revision_kind(), .ns = ns_}));
    bool known = false;  // the repository
    for (const std::string& ref : {fmt::format("{}/{}", directory, git.ref), git.ref})
      for (const Value& each : all.objects) {
        const Value& lock = each["status"]["selfLock"]["git"];
        if (plain(lock["repo"].as_string()) != plain(git.repo)) continue;
        known = true;
        if (lock["directory"].as_string() == directory && lock["ref"].as_string() == ref)
          return std::string(krm::name_of(each));
      }
    if (known)
      return invalid("cannot find package {}@{}: no package revision has it", directory, git.ref);
    return invalid(
        "cannot clone Git repository: {:?} is not registered in this namespace; create a "
        "Repository for it first",
        git.repo);
  }

  const registry::Registry& registry_;
  const std::string& ns_;
  const api::PackageRevisionSpec& spec_;
};

// The Kptfile fields that the object sets; the others are kept.
std::optional<package::MetadataChange> kptfile_of(const api::PackageRevisionSpec& spec) {
  package::MetadataChange out;
  out.keep_others = true;
  if (spec.package_metadata) {
    out.labels = spec.package_metadata->labels;
    out.annotations = spec.package_metadata->annotations;
  }
  if (!spec.readiness_gates.empty()) out.readiness_gates = spec.readiness_gates;
  if (!out.labels && !out.readiness_gates) return std::nullopt;
  return out;
}

}  // namespace

Result<drafts::DraftRequest> draft_request(const registry::Registry& registry,
                                           const std::string& ns, const Value& sent,
                                           const api::PackageRevision& revision) {
  const api::PackageRevisionSpec& spec = revision.spec;
  drafts::DraftRequest out;
  out.ns = ns;
  out.repository = spec.repository;
  out.package = spec.package_name;
  out.workspace = spec.workspace_name;
  if (spec.parent && !registry.get(packages::revision_key(ns, spec.parent->name)))
    return invalid("cannot get parent package {:?}", spec.parent->name).in("spec.parent");
  PORTICO_TRY(out.source, Tasks(registry, ns, spec).source());
  if (!spec.tasks.empty() && spec.tasks.front().upgrade)
    out.strategy = spec.tasks.front().upgrade->strategy;
  out.metadata = kptfile_of(spec);
  out.object = Value::object({{"metadata", sent["metadata"]},
                              {"spec", Value::object({{"tasks", sent["spec"]["tasks"]}})}});
  out.only_if_changed = false;
  return out;
}

}  // namespace portico::apiserver
